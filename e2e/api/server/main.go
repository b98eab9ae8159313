// Serves CustomResourceDefinitions and their objects as a Kubernetes API server does, from an etcd, to everybody on this machine.
//
//	api-server ETCD-URL FOLDER
//
// Listens on a free port of 127.0.0.1, writes its certificate to FOLDER/apiserver.crt, and prints its address. The server is that of the module
// k8s.io/apiextensions-apiserver: built-in kinds (Namespace, ConfigMap, Deployment) are not served.
package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"

	"k8s.io/apiextensions-apiserver/pkg/cmd/server"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

func main() {
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(etcd, folder string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	kubeconfig, err := writeKubeconfig(folder)
	if err != nil {
		return err
	}
	o := options.NewCustomResourceDefinitionsServerOptions(os.Stderr, os.Stderr)
	recommended := o.RecommendedOptions
	recommended.Etcd.StorageConfig.Transport.ServerList = []string{etcd}
	recommended.SecureServing.Listener = listener
	recommended.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	recommended.SecureServing.ServerCert.CertDirectory = folder
	recommended.CoreAPI.CoreAPIKubeconfigPath = kubeconfig
	// Accounts, permissions and admission ask a kube-apiserver, and none runs here.
	recommended.Authentication, recommended.Authorization, recommended.Admission = nil, nil, nil
	recommended.Features.EnablePriorityAndFairness = false
	if err := o.Complete(); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return err
	}
	fmt.Printf("https://%s\n", listener.Addr())
	return server.Run(genericapiserver.SetupSignalContext(), o)
}

// writeKubeconfig names a server that does not exist. The options want a kubeconfig; only the conversion webhooks of a definition would ask that server.
func writeKubeconfig(folder string) (string, error) {
	path := filepath.Join(folder, "kubeconfig")
	text := `apiVersion: v1
kind: Config
clusters: [{name: none, cluster: {server: "http://127.0.0.1:1"}}]
contexts: [{name: none, context: {cluster: none, user: none}}]
current-context: none
users: [{name: none, user: {}}]
`
	return path, os.WriteFile(path, []byte(text), 0o600)
}
