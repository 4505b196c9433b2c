package detection

var NaivelyFlagged = naivelyFlagged
