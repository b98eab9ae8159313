// The identity function on the Go SDK: what `npm run bench` compares with.
package main

import (
	"fmt"
	"os"
	"syscall"

	"github.com/kptdev/krm-functions-sdk/go/fn"
)

func main() {
	identity := fn.ResourceListProcessorFunc(func(*fn.ResourceList) (bool, error) { return true, nil })
	err := fn.AsMain(identity)
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	fmt.Fprint(os.NewFile(3, "usage"), usage.Maxrss, " ", microseconds(usage.Utime), " ", microseconds(usage.Stime))
	if err != nil {
		os.Exit(1)
	}
}

func microseconds(time syscall.Timeval) int64 {
	return time.Sec*1e6 + time.Usec
}
