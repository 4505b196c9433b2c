package clash

// weights are those of the features, and the constant. Made by `engram-eval weights`;
// do not edit.
var weights = [...]float64{
	-0.1337, // family number
	-0.1494, // family measure
	0.2390,  // family share
	0.4052,  // family port
	0.5460,  // family version
	0.3908,  // family calendar
	-0.2746, // family polarity
	-0.0849, // family opposite
	0.8289,  // family alternative
	-0.9170, // family identifier
	-0.2227, // family name
	0.3029,  // family order
	-0.4834, // family quantifier
	0.0604,  // family list
	0.0935,  // family policy
	-0.6010, // family statement
	0.8942,  // coverage of the better covered claim
	-0.1507, // coverage of the other
	0.3668,  // weight of what both share
	0.6211,  // coverage of clause, better
	-0.1697, // coverage of clause, other
	0.7963,  // coverage near the place, better
	0.0251,  // coverage near the place, other
	0.8127,  // weight of what both clauses share
	0.9686,  // weight of what is shared near the place
	0.1982,  // value by coverage
	0.6849,  // value by coverage near
	0.2728,  // word by coverage
	-0.7064, // word by coverage of clause
	0.0523,  // name by coverage
	-0.5328, // name by coverage near
	-0.2610, // subject shared by both
	0.1176,  // subject shared by one
	-0.5809, // unshared words of both clauses
	-0.2541, // unshared words of one clause
	-0.5828, // unshared names of both
	-0.5295, // unshared names of one
	0.7921,  // same noun counted
	0.0820,  // other noun counted
	-1.2988, // other circumstances
	0.3415,  // one-sided circumstances
	-0.0786, // one conditional
	-0.0931, // both conditional
	0.1854,  // bounds overlap
	-0.1689, // one bounded
	-0.1072, // both bounded alike
	-0.5747, // about
	-0.2885, // value by subject
	0.0275,  // word by subject
	0.6405,  // value by change
	0.2125,  // told by change
	-0.8174, // shared near by coverage
	0.4751,  // value told by the other
	-0.3330, // equal quantities
	-0.1371, // no other quantities
	1.1383,  // change told by one
	-0.2008, // change told by both
	0.8040,  // excluding
	-0.0198, // excluding at both
	-0.1849, // admitting
	-0.3420, // admitting at both
	-0.7072, // words around match
	-0.1457, // extra of polarity
	0.1848,  // extra of order
	0.6625,  // extra of list
	0.3942,  // extra of quantifier
	0.1239,  // owner
	-0.3220, // other families
	2.1424,  // rule
	0.1392,  // denied differently
	0.1271,  // aside
	-0.7009, // length of the shorter
	0.2347,  // length of the longer
	-2.7628, // constant
}
