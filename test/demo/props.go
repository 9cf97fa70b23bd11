package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"time"
)

// chart is a bar chart of about a megapixel, as a PNG in base64. The stand-ins count
// its bytes; the shades make them about as many as the tokens that a provider
// would count.
func chart() string {
	picture := image.NewGray(image.Rect(0, 0, 1024, 768))
	draw.Draw(picture, picture.Rect, image.White, image.Point{}, draw.Src)
	for month, share := range []int{25, 39, 34, 56, 81, 76, 100, 92, 70, 61, 48, 30} {
		for x := range 60 {
			for y := range share * 7 {
				picture.SetGray(20+month*84+x, 767-y, color.Gray{Y: uint8(60 + x + y/7)})
			}
		}
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, picture); err != nil {
		panic("demo: " + err.Error()) // a buffer takes everything
	}
	return base64.StdEncoding.EncodeToString(encoded.Bytes())
}

func dataURL(png string) string { return "data:image/png;base64," + png }

// hourOfLog is a service's log of about 60 KB, the same on every run.
func hourOfLog() string {
	const size = 60_000
	at := time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC)
	var log strings.Builder
	for line := 0; log.Len() < size; line++ {
		at = at.Add(time.Duration(3000+line*37%5000) * time.Millisecond)
		took := 20 + line*7919%180
		level, outcome := "INFO", "status=200"
		if line%9 == 4 {
			level, outcome, took = "WARN", `error="context deadline exceeded" upstream=payments pool=8/8`, 3000
		}
		fmt.Fprintf(&log, "%s %s checkout order=%d took=%dms %s\n", at.Format(time.RFC3339), level, 48_000+line*13, took, outcome)
	}
	return log.String()
}
