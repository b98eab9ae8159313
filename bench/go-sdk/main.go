// Functions on the Go SDK: what `npm run bench` compares with. Without an argument the function changes nothing, with `label` it sets a
// label as set-labels does.
package main

import (
	"fmt"
	"os"
	"syscall"

	"github.com/kptdev/krm-functions-sdk/go/fn"
)

func main() {
	process := func(list *fn.ResourceList) (bool, error) { return true, nil }
	if len(os.Args) > 1 && os.Args[1] == "label" {
		process = label
		// The SDK reads its arguments as files.
		os.Args = os.Args[:1]
	}
	err := fn.AsMain(fn.ResourceListProcessorFunc(process))
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	fmt.Fprint(os.NewFile(3, "usage"), usage.Maxrss, " ", microseconds(usage.Utime), " ", microseconds(usage.Stime))
	if err != nil {
		os.Exit(1)
	}
}

// The places of a Deployment that set-labels writes beside its own labels.
var places = [][]string{{"spec", "selector", "matchLabels"}, {"spec", "template", "metadata", "labels"}}

// label does the work of set-labels, without its results.
func label(list *fn.ResourceList) (bool, error) {
	for _, item := range list.Items {
		if err := item.SetLabel("site", "north"); err != nil {
			return false, err
		}
		if item.GetKind() != "Deployment" {
			continue
		}
		for _, path := range places {
			if err := item.SetNestedString("north", append(path, "site")...); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

func microseconds(time syscall.Timeval) int64 {
	return time.Sec*1e6 + time.Usec
}
