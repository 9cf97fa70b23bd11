// Command print prints the path of an Envoy to test with, fetching one where
// there is none:
//
//	ENVOY_PATH=$(go run ./test/envoybin/print)
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/pointsman/pointsman/test/envoybin"
)

func main() {
	path, err := envoybin.Path(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(path)
}
