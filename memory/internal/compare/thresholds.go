package compare

import (
	"fmt"

	"engram/detect"
	"engram/memory/internal/core"
)

func NLIBasis(models core.Models, t detect.Thresholds) string {
	return fmt.Sprintf("nli %s, threshold %.3f", models.NLIID, t.High)
}
