package clash

var weights = [74]float64{}
