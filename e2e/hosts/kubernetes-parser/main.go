// Decodes a Job as the API server does when fields are validated strictly: a field that batch/v1 does not have, or of another type, is an error.
package main

import (
	"fmt"
	"io"
	"os"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	input, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = yaml.UnmarshalStrict(input, &batchv1.Job{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
