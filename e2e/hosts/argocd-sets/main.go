// Generates the Applications of ApplicationSets with Argo CD's own generators and templates.
//
//	argocd-sets < QUESTIONS
//
// A question is a line of JSON: {"root": FOLDER, "set": APPLICATIONSET, "secrets": [SECRET…]}. The folder is a git checkout, the secrets are those of
// the clusters. The answer is a line {"applications": [APPLICATION…], "error": TEXT}. No server is asked: the files of the git generators come from
// the folder, as the repository server lists them.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	log "github.com/sirupsen/logrus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/argoproj/argo-cd/v3/applicationset/controllers/template"
	"github.com/argoproj/argo-cd/v3/applicationset/generators"
	"github.com/argoproj/argo-cd/v3/applicationset/utils"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

// checkout answers what the repository server answers, from a folder (reposerver/repository, GetGitFiles and GetGitDirectories).
type checkout struct{ root string }

func (c checkout) GetFiles(_ context.Context, _, _, _, pattern string, _, _ bool) (map[string][]byte, error) {
	command := exec.Command("git", "ls-files", "--full-name", "-z", "--", pattern)
	command.Dir = c.root
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, path := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if path == "" {
			continue
		}
		if files[path], err = os.ReadFile(filepath.Join(c.root, path)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (c checkout) GetDirectories(_ context.Context, _, _, _ string, _, _ bool) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(c.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(c.root, path)
		if err != nil || relative == "." {
			return err
		}
		if strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		paths = append(paths, relative)
		return nil
	})
	return paths, err
}

// secrets are the Secrets of clusters.
type secrets []corev1.Secret

func (s secrets) chosen(selector labels.Selector) []corev1.Secret {
	found := []corev1.Secret{}
	for _, secret := range s {
		if selector.Matches(labels.Set(secret.Labels)) {
			found = append(found, secret)
		}
	}
	return found
}

// cachedClient answers for Secrets, and that every AppProject is there and signs nothing.
type cachedClient struct {
	client.Client
	secrets
}

func (c cachedClient) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return nil
}

func (c cachedClient) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	asked := client.ListOptions{}
	asked.ApplyOptions(options)
	list.(*corev1.SecretList).Items = c.chosen(asked.LabelSelector)
	return nil
}

// clientset answers for Secrets alone.
type clientset struct {
	kubernetes.Interface
	typedcorev1.CoreV1Interface
	typedcorev1.SecretInterface
	secrets
}

func (c clientset) CoreV1() typedcorev1.CoreV1Interface {
	return core{c.CoreV1Interface, c}
}

type core struct {
	typedcorev1.CoreV1Interface
	own clientset
}

func (c core) Secrets(string) typedcorev1.SecretInterface {
	return listed{c.own.SecretInterface, c.own.secrets}
}

type listed struct {
	typedcorev1.SecretInterface
	secrets
}

func (l listed) List(_ context.Context, options metav1.ListOptions) (*corev1.SecretList, error) {
	selector, err := labels.Parse(options.LabelSelector)
	if err != nil {
		return nil, err
	}
	return &corev1.SecretList{Items: l.chosen(selector)}, nil
}

type question struct {
	Root    string                  `json:"root"`
	Set     v1alpha1.ApplicationSet `json:"set"`
	Secrets secrets                 `json:"secrets"`
}

func answer(asked question) ([]v1alpha1.Application, error) {
	// The API server keeps `stringData` in `data`.
	for i := range asked.Secrets {
		secret := &asked.Secrets[i]
		for key, value := range secret.StringData {
			if secret.Data == nil {
				secret.Data = map[string][]byte{}
			}
			secret.Data[key] = []byte(value)
		}
	}
	reader := cachedClient{secrets: asked.Secrets}
	all := generators.GetGenerators(context.Background(), reader, clientset{secrets: asked.Secrets}, "argocd", checkout{asked.Root}, nil, generators.SCMConfig{})
	applications, _, err := template.GenerateApplications(log.NewEntry(log.StandardLogger()), asked.Set, all, &utils.Render{}, reader)
	return applications, err
}

func main() {
	log.SetOutput(io.Discard)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		applications, err := answer(asked)
		message := ""
		if err != nil {
			message = err.Error()
		}
		text, err := json.Marshal(map[string]any{"applications": applications, "error": message})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(string(text))
	}
}
