package clash

// weights are those of the features, and the constant. Made by `engram-eval weights`;
// do not edit.
var weights = [...]float64{
	-0.0735, // family number
	-0.0906, // family measure
	0.1380,  // family share
	0.3142,  // family port
	0.1793,  // family version
	0.2858,  // family calendar
	-0.3088, // family polarity
	-0.0585, // family opposite
	0.6906,  // family alternative
	-0.7387, // family identifier
	-0.2509, // family name
	0.3160,  // family order
	-0.2119, // family quantifier
	0.1634,  // family list
	0.1640,  // family policy
	-0.5183, // family statement
	0.6141,  // coverage of the better covered claim
	-0.1662, // coverage of the other
	0.8588,  // weight of what both share
	0.4094,  // coverage of clause, better
	-0.3186, // coverage of clause, other
	0.5644,  // coverage near the place, better
	-0.0863, // coverage near the place, other
	0.4574,  // weight of what both clauses share
	0.9962,  // weight of what is shared near the place
	0.2400,  // value by coverage
	0.6400,  // value by coverage near
	0.0231,  // word by coverage
	-0.5185, // word by coverage of clause
	0.1458,  // name by coverage
	-0.3326, // name by coverage near
	-0.2202, // subject shared by both
	-0.0167, // subject shared by one
	-0.7596, // unshared words of both clauses
	-0.0715, // unshared words of one clause
	-0.4723, // unshared names of both
	-0.3817, // unshared names of one
	0.6304,  // same noun counted
	-0.1426, // other noun counted
	-1.4307, // other circumstances
	0.2757,  // one-sided circumstances
	-0.0483, // one conditional
	-0.0805, // both conditional
	0.1271,  // bounds overlap
	-0.2908, // one bounded
	-0.0661, // both bounded alike
	-0.2724, // about
	-0.1547, // value by subject
	-0.0655, // word by subject
	0.4649,  // value by change
	0.3206,  // told by change
	-0.7170, // shared near by coverage
	0.5662,  // value told by the other
	-0.3899, // equal quantities
	-0.2916, // no other quantities
	1.2184,  // change told by one
	-0.2065, // change told by both
	0.7977,  // excluding
	0.0882,  // excluding at both
	-0.1199, // admitting
	-0.2892, // admitting at both
	-0.6230, // words around match
	-0.1089, // extra of polarity
	0.1274,  // extra of order
	0.5593,  // extra of list
	0.2650,  // extra of quantifier
	0.1820,  // owner
	-0.4665, // other families
	2.0461,  // rule
	0.1593,  // denied differently
	-0.0016, // aside
	-0.2876, // length of the shorter
	0.4262,  // length of the longer
	-2.4575, // constant
}
