package clash

// weights are those of the features, and the constant. Made by `engram-eval weights`;
// do not edit.
var weights = [...]float64{
	-0.0953, // family number
	-0.1117, // family measure
	0.1196,  // family share
	0.3056,  // family port
	0.1623,  // family version
	0.3056,  // family calendar
	-0.2755, // family polarity
	-0.0470, // family opposite
	0.7172,  // family alternative
	-0.7218, // family identifier
	-0.2611, // family name
	0.3254,  // family order
	-0.3493, // family quantifier
	0.1741,  // family list
	0.1798,  // family policy
	-0.4278, // family statement
	0.5785,  // coverage of the better covered claim
	-0.1671, // coverage of the other
	0.9093,  // weight of what both share
	0.3801,  // coverage of clause, better
	-0.2775, // coverage of clause, other
	0.5764,  // coverage near the place, better
	-0.0524, // coverage near the place, other
	0.4804,  // weight of what both clauses share
	0.9463,  // weight of what is shared near the place
	0.2844,  // value by coverage
	0.6813,  // value by coverage near
	0.0318,  // word by coverage
	-0.5759, // word by coverage of clause
	0.1156,  // name by coverage
	-0.3283, // name by coverage near
	-0.2678, // subject shared by both
	0.0514,  // subject shared by one
	-0.7804, // unshared words of both clauses
	-0.0829, // unshared words of one clause
	-0.4791, // unshared names of both
	-0.3811, // unshared names of one
	0.6137,  // same noun counted
	-0.1491, // other noun counted
	-1.4379, // other circumstances
	0.2602,  // one-sided circumstances
	-0.0465, // one conditional
	-0.0692, // both conditional
	0.1620,  // bounds overlap
	-0.2783, // one bounded
	-0.0632, // both bounded alike
	-0.2737, // about
	-0.1605, // value by subject
	-0.1072, // word by subject
	0.5222,  // value by change
	0.3390,  // told by change
	-0.7253, // shared near by coverage
	0.5894,  // value told by the other
	-0.3936, // equal quantities
	-0.3055, // no other quantities
	1.1968,  // change told by one
	-0.2260, // change told by both
	0.7955,  // excluding
	0.1380,  // excluding at both
	-0.1119, // admitting
	-0.2837, // admitting at both
	-0.6145, // words around match
	-0.1503, // extra of polarity
	0.1362,  // extra of order
	0.5657,  // extra of list
	0.4597,  // extra of quantifier
	0.0633,  // owner
	-0.4639, // other families
	2.0207,  // rule
	0.1612,  // denied differently
	0.0047,  // aside
	-0.2747, // length of the shorter
	0.4007,  // length of the longer
	-2.4781, // constant
}
