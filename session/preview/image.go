package preview

import (
	"bytes"
	"encoding/binary"
	"fmt"
	stdimage "image"
	_ "image/gif"  // the formats
	_ "image/jpeg" // that
	_ "image/png"  // are read
)

// image previews an image: its type, dimensions and size.
func image(mediaType string, data []byte) string {
	width, height := 0, 0
	if config, _, err := stdimage.DecodeConfig(bytes.NewReader(data)); err == nil {
		width, height = config.Width, config.Height
	} else {
		width, height = webp(data)
	}
	if width <= 0 || height <= 0 {
		return clean(mediaType) + ", " + size(len(data))
	}
	return fmt.Sprintf("%s, %d x %d pixels, %s", clean(mediaType), width, height, size(len(data)))
}

// webp returns the dimensions in the header of a WebP image.
func webp(data []byte) (width, height int) {
	if len(data) < 30 || string(data[:4]) != "RIFF" || string(data[8:12]) != "WEBP" {
		return 0, 0
	}
	switch body := data[20:]; string(data[12:16]) {
	case "VP8 ":
		return int(binary.LittleEndian.Uint16(body[6:])) & 0x3fff, int(binary.LittleEndian.Uint16(body[8:])) & 0x3fff
	case "VP8L":
		bits := binary.LittleEndian.Uint32(body[1:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1
	case "VP8X":
		three := func(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
		return three(body[4:]) + 1, three(body[7:]) + 1
	}
	return 0, 0
}
