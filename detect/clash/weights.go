package clash

var weights = [67]float64{}
