//go:build sample_tag

package dead

func init() { OtherBuild() }
