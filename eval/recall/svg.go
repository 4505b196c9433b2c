package recall

import (
	"fmt"
	"strings"
)

var colours = [...]string{"#999999", "#b07d2b", "#3a7d44", "#1f5fa8", "#7a3fa0", "#69a7e0", "#c08be0"}

// SVG is a picture of recall by compaction, one line for each condition.
func (r Report) SVG() string {
	const left, top, width, height = 50, 20, 400, 240
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 310" font-family="sans-serif" font-size="12"><rect width="720" height="310" fill="white"/>`+"\n")
	for share := 0; share <= 100; share += 25 {
		y := top + height - height*share/100
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="#dddddd"/><text x="10" y="%d">%d %%</text>`+"\n", left, left+width, y, y, y+4, share)
	}
	for k, condition := range Conditions() {
		var points []string
		for _, row := range r.Rows {
			if row.Condition == condition && row.Kind == "" {
				points = append(points, fmt.Sprintf("%d,%.1f", left+(row.Cycle-1)*width/(cycles-1), top+height*(1-row.Exact)))
			}
		}
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/><text x="%d" y="%d" fill="%s">%s</text>`+"\n",
			colours[k], strings.Join(points, " "), left+width+20, top+20+k*20, colours[k], condition)
	}
	for cycle := 1; cycle <= cycles; cycle++ {
		fmt.Fprintf(&b, `<text x="%d" y="%d">%d</text>`+"\n", left+(cycle-1)*width/(cycles-1)-3, top+height+18, cycle)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d">compactions</text></svg>`+"\n", left+width/2-35, top+height+38)
	return b.String()
}
