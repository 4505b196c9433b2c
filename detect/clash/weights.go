package clash

// weights are those of the features, and the constant. Made by `engram-eval weights`;
// do not edit.
var weights = [...]float64{
	-0.2347, // family number
	-0.1638, // family measure
	0.1120,  // family share
	0.3008,  // family port
	0.3832,  // family version
	0.2761,  // family calendar
	-0.2718, // family polarity
	-0.1282, // family opposite
	0.6321,  // family alternative
	-0.7084, // family identifier
	-0.2380, // family name
	0.3186,  // family order
	-0.1346, // family quantifier
	0.1755,  // family list
	0.1681,  // family policy
	-0.4868, // family statement
	0.5538,  // coverage of the better covered claim
	-0.1351, // coverage of the other
	0.7535,  // weight of what both share
	0.6391,  // coverage of clause, better
	-0.1488, // coverage of clause, other
	0.6067,  // coverage near the place, better
	-0.0732, // coverage near the place, other
	0.5465,  // weight of what both clauses share
	0.9884,  // weight of what is shared near the place
	0.2963,  // value by coverage
	0.6499,  // value by coverage near
	0.0496,  // word by coverage
	-0.5379, // word by coverage of clause
	0.1161,  // name by coverage
	-0.3171, // name by coverage near
	-0.2450, // subject shared by both
	0.0178,  // subject shared by one
	-0.6377, // unshared words of both clauses
	-0.0373, // unshared words of one clause
	-0.4621, // unshared names of both
	-0.3975, // unshared names of one
	0.6724,  // same noun counted
	-0.1652, // other noun counted
	-1.4364, // other circumstances
	0.2765,  // one-sided circumstances
	-0.0624, // one conditional
	-0.0947, // both conditional
	0.1433,  // bounds overlap
	-0.2761, // one bounded
	-0.0624, // both bounded alike
	-0.2707, // about
	-0.1600, // value by subject
	-0.0850, // word by subject
	0.4877,  // value by change
	0.3341,  // told by change
	-0.7457, // shared near by coverage
	0.5807,  // value told by the other
	-0.3937, // equal quantities
	-0.2851, // no other quantities
	1.2092,  // change told by one
	-0.1947, // change told by both
	0.7735,  // excluding
	0.0942,  // excluding at both
	-0.1137, // admitting
	-0.2932, // admitting at both
	-0.6344, // words around match
	-0.0715, // extra of polarity
	0.1279,  // extra of order
	0.5603,  // extra of list
	0.2845,  // extra of quantifier
	0.1263,  // owner
	-0.4032, // other families
	2.0374,  // rule
	0.1124,  // denied differently
	0.1351,  // aside
	-0.3087, // length of the shorter
	0.4016,  // length of the longer
	-2.7507, // constant
}
