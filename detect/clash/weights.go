package clash

// weights are those of the features, and the constant. Made by `engram-eval weights`;
// do not edit.
var weights = [...]float64{
	-0.2289, // family number
	-0.3282, // family measure
	0.0449,  // family share
	0.1788,  // family port
	0.3602,  // family version
	0.2446,  // family calendar
	-0.0730, // family polarity
	-0.3460, // family opposite
	0.4718,  // family alternative
	-0.2296, // family identifier
	-0.4917, // family name
	0.2337,  // family order
	-0.2075, // family quantifier
	0.4184,  // family list
	0.2712,  // family policy
	-0.3188, // family statement
	0.1764,  // coverage of the better covered claim
	0.0520,  // coverage of the other
	1.4755,  // weight of what both share
	0.3876,  // coverage of clause, better
	-0.2649, // coverage of clause, other
	0.3396,  // coverage near the place, better
	-0.0950, // coverage near the place, other
	0.0028,  // weight of what both clauses share
	0.7293,  // weight of what is shared near the place
	0.4022,  // value by coverage
	0.6172,  // value by coverage near
	-0.2622, // word by coverage
	-0.3784, // word by coverage of clause
	0.2036,  // name by coverage
	-0.1463, // name by coverage near
	-0.2334, // subject shared by both
	0.0247,  // subject shared by one
	-0.7140, // unshared words of both clauses
	0.2256,  // unshared words of one clause
	-0.0531, // unshared names of both
	-0.0533, // unshared names of one
	0.5881,  // same noun counted
	-0.1687, // other noun counted
	-1.5886, // other circumstances
	0.1865,  // one-sided circumstances
	-0.0289, // one conditional
	-0.0148, // both conditional
	0.0049,  // bounds overlap
	-0.2560, // one bounded
	-0.1365, // both bounded alike
	-0.6466, // about
	-0.0967, // value by subject
	-0.1367, // word by subject
	0.4047,  // value by change
	0.3506,  // told by change
	-0.6161, // shared near by coverage
	0.2128,  // value told by the other
	-0.4628, // equal quantities
	-0.4822, // no other quantities
	1.3075,  // change told by one
	-0.2095, // change told by both
	0.7306,  // excluding
	0.1838,  // excluding at both
	0.1171,  // admitting
	-0.2548, // admitting at both
	-0.4653, // words around match
	0.0865,  // extra of polarity
	0.0744,  // extra of order
	0.6185,  // extra of list
	0.2775,  // extra of quantifier
	-0.0657, // owner
	-0.4711, // other families
	1.9410,  // rule
	0.0453,  // denied differently
	0.0425,  // aside
	0.3111,  // length of the shorter
	0.6103,  // length of the longer
	-2.7959, // constant
}
