import type { RuleRecords } from './rule-record.ts'

/** The built-in functions of the catalog. */
export const CATALOG_RECORDS = {
  'apply-setters': {
    severity: 'info',
    summary:
      'A field got the value of a setter, changed or not; or no field has a comment for the setters of the functionConfig, which is an error in v0.1.1',
    example: '`replicas: 3 # kpt-set: ${replicas}`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/apply-setters/json-with-unknown-field',
  },
  'comment-skipped': {
    severity: 'warning',
    summary: 'A value deep in brackets gets no comment from search-replace or create-setters: it shares its line with other values',
    example: '`ports: [{containerPort: 80}]`',
    toFix: 'Write the value on a line of its own',
    run: 'fn create-setters . -- image=nginx',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {a: {image: nginx}, b: c}
#                 ^
`,
    good: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  image: nginx
`,
    shownBy: 'testdata/search-replace/comment-skipped',
  },
  'create-setters': {
    severity: 'info',
    summary: 'create-setters wrote a comment behind a value',
    example: '`image: nginx # kpt-set: ${image}`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/create-setters/lists',
  },
  'line-comment': {
    severity: 'error',
    summary: 'A comment that search-replace or create-setters is to write has a line break or another control character',
    example: '`put-comment: "one\\ntwo"`',
    toFix: 'Write a comment of one line',
    shownBy: 'testdata/search-replace/comment-lines',
  },
  'list-setters': {
    severity: 'info',
    summary: 'A setter of the package with its value, type and number of fields',
    example: '`Name: replicas, Value: 3, Type: int, Count: 1`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/list-setters/all',
  },
  'local-config-removed': {
    severity: 'info',
    summary: 'How many objects of local config remove-local-config-resources removed, and each of them',
    example: '`Number of resources pruned: 2`',
    toFix: 'Nothing to fix',
    run: 'fn remove-local-config-resources .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, annotations: {config.kubernetes.io/local-config: "true"}}
data: {}
`,
    shownBy: 'testdata/remove-local-config-resources/removes',
  },
  'no-labels': {
    severity: 'warning',
    summary: 'The functionConfig of set-labels has no labels',
    example: '`labels: {}`',
    toFix: 'Name labels, or remove the function from the pipeline',
    shownBy: 'testdata/set-labels/no-labels',
  },
  'no-local-config': {
    severity: 'warning',
    summary: 'remove-local-config-resources found no object of local config',
    example: 'A package without `config.kubernetes.io/local-config: "true"`',
    toFix: 'Remove the function from the pipeline',
    run: 'fn remove-local-config-resources .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {}
`,
    good: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, annotations: {config.kubernetes.io/local-config: "true"}}
data: {}
`,
    shownBy: 'testdata/remove-local-config-resources/nothing-to-remove',
  },
  'no-setters': {
    severity: 'error',
    summary: 'list-setters found no setter in the package, or create-setters no value of a setter',
    example: '`image: nginx` for a package without nginx',
    toFix: 'Write comments `# kpt-set: ${name}`, or values that the package has',
    run: 'fn list-setters .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  replicas: "1"
`,
    good: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  replicas: "1" # kpt-set: \${replicas}
`,
    shownBy: 'testdata/list-setters/none',
  },
  'no-upstream-origin': {
    severity: 'warning',
    summary: "set-namespace of the catalog's master found an object that kpt did not copy from an upstream package",
    example: 'An object without `internal.kpt.dev/upstream-identifier`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/set-namespace/master-all',
  },
  'output-size': {
    severity: 'error',
    summary: 'A catalog function would lengthen the objects by more than 64 million characters: it writes a long text into many fields',
    example: '`put-value` of 100,000 characters for 10,000 fields',
    toFix: 'Shorten the text, or run the function on fewer objects',
    shownBy: 'testdata/rules.test.ts',
  },
  'replacement-path': {
    severity: 'error',
    summary: 'A field path of an ApplyReplacements has more steps than an object can be deep',
    example: '`fieldPath: a.a.a.…`',
    toFix: 'Correct the path',
    shownBy: 'testdata/apply-replacements/config-faults',
  },
  'replacement-selector': {
    severity: 'error',
    summary: 'The text that selects labels or annotations in an ApplyReplacements is no selector',
    example: '`labelSelector: app in web`',
    toFix: 'Write it in the syntax of kubectl: `app=web,tier in (a,b)`',
    shownBy: 'testdata/apply-replacements/config-faults',
  },
  'replacement-size': {
    severity: 'error',
    summary:
      'The replacements of an ApplyReplacements would read and write too much: a map that is copied into itself grows with every copy',
    example: 'A replacement of `spec` by `spec.a`, again and again',
    toFix: 'Remove replacements',
    shownBy: 'testdata/apply-replacements/size',
  },
  'replacement-source': {
    severity: 'error',
    summary: 'The source of a replacement is not one field of one object, or its text has no such part',
    example: '`source: {kind: ConfigMap}` in a package of two',
    toFix: 'Name the object and the field',
    shownBy: 'testdata/apply-replacements/source-faults',
  },
  'replacement-target': {
    severity: 'error',
    summary: 'The field path of a target does not lead to a field of a selected object, or to one that cannot have the value',
    example: '`fieldPaths: [spec.replica]`',
    toFix: 'Correct the path, set `create: true`, or select other objects',
    shownBy: 'testdata/apply-replacements/target-faults',
  },
  'search-pattern': {
    severity: 'error',
    summary:
      'A regular expression or a pattern of files of a catalog function is malformed, too large, or costs too much with the texts of the package',
    example: '`by-value-regex: nginx(?=:)`',
    toFix: 'Write an expression of Go (RE2), which has no look-ahead',
    shownBy: 'testdata/set-image/bad-expression',
  },
  'search-replace': {
    severity: 'info',
    summary: 'search-replace found or wrote a field, or found none',
    example: '`Matched field value "nginx"`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/search-replace/no-matches',
  },
  'set-image': {
    severity: 'info',
    summary: 'set-image wrote an image, or found none with the name',
    example: '`set image from nginx:1.14 to nginx:1.25`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/set-image/no-match',
  },
  'set-labels': {
    severity: 'info',
    summary: 'How many labels set-labels wrote or found, in all fields together',
    example: '`set 12 labels in total`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/set-labels/local-config',
  },
  'set-namespace': {
    severity: 'info',
    summary: 'How many values set-namespace changed, and which namespaces they named',
    example: '`namespace "example" updated to "edge", 3 value(s) changed`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/set-namespace/already-there',
  },
  'setter-list': {
    severity: 'error',
    summary: 'The field is a list: one setter alone must give it, and its value must be a list',
    example: '`hosts: [a] # kpt-set: x-${hosts}`',
    toFix: 'Write `# kpt-set: ${hosts}`, and give `hosts` a list such as `[a, b]`',
    shownBy: 'testdata/apply-setters/setter-list',
  },
  'setter-missing': {
    severity: 'error',
    summary: 'The comment of a field names several setters; one of them has no value, and the value cannot be derived from the field',
    example: '`image: nginx # kpt-set: ${image}:${tag}` with `tag` alone',
    toFix: 'Give a value for every setter of the comment',
    shownBy: 'testdata/apply-setters/setter-missing',
  },
  'several-origins': {
    severity: 'error',
    summary:
      "The objects came from several upstream namespaces, and set-namespace of the catalog's master does not know which namespace to replace",
    example: 'Upstream namespaces `example` and `other`',
    toFix: 'Set `namespaceMatcher`',
    shownBy: 'testdata/set-namespace/master-origins',
  },
} as const satisfies RuleRecords
