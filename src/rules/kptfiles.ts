import type { RuleRecords } from './rule-record.ts'

/** Kptfiles, package contexts, and the variant of a package. */
export const KPTFILES_RECORDS = {
  'context-ambiguous': {
    severity: 'error',
    summary: 'Two ConfigMaps of the package are named `kptfile.kpt.dev`',
    example: 'in `package-context.yaml` and in `all.yaml`',
    toFix: 'Remove one; a subpackage has its own',
    run: 'fn set-context . -- site=a',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: kptfile.kpt.dev}
data: {}
# file: b.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: kptfile.kpt.dev}
#                ^
data: {}
`,
    good: [
      `# file: b.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: kptfile.kpt.dev}
data: {}
`,
      '',
    ],
    shownBy: 'testdata/set-context/two-contexts',
  },
  'context-data': {
    severity: 'error',
    summary: 'The package context has no `data`, or it is no map of strings',
    example: '`data: [a]`, `data: {site: {name: x}}`',
    toFix: 'Write a map, if only `{}`; quote the values',
    run: 'fn set-context . -- site=a',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: package-context.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: kptfile.kpt.dev}
data: {site: {name: x}}
#      ^
`,
    good: ['{name: x}', 'x'],
    shownBy: 'testdata/set-context/data-missing',
  },
  'context-key-removed': {
    severity: 'warning',
    summary: 'A key is in `data` and in `removeKeys`; keys are set first and removed afterwards, so the key is missing',
    example: '`{data: {zone: b}, removeKeys: [zone]}`',
    toFix: 'Remove the key from one of the two',
    shownBy: 'testdata/set-context/key-set-and-removed',
  },
  'context-missing': {
    severity: 'error',
    summary: 'The package has no ConfigMap `kptfile.kpt.dev` to change',
    example: 'A package that was never cloned for deployment',
    toFix: 'Clone it for deployment, or use a SetContext with `create: true`',
    shownBy: 'testdata/set-context/context-missing',
  },
  kptfile: {
    severity: 'error',
    summary:
      'A part of the Kptfile that is to be edited has another type, or the Kptfile another kind, or it is too long for its pipeline to run; or the Kptfile of a rendered package has no kind or name, because its end was lost',
    example: '`pipeline: none`',
    toFix: 'Write it as kpt.dev/v1 has it',
    shownBy: 'testdata/render-variants/upstream-old-kptfile',
  },
  'kptfile-documents': {
    severity: 'error',
    summary: 'The Kptfile holds a second document',
    example: '`---` in the Kptfile',
    toFix: 'Move it to another file',
    shownBy: 'testdata/set-context/kptfile-second-document-without-kind',
  },
  'kptfile-missing': {
    severity: 'error',
    summary: 'No item is a Kptfile, or no Kptfile is above all others',
    example: '`kpt fn eval` on a folder of packages',
    toFix: 'Run the function on one package',
    shownBy: 'testdata/set-context/kptfile-missing',
  },
  'package-path': {
    severity: 'error',
    summary:
      'The downstream package is no legal path: empty parts, `.`, `..`, a backslash or a control character, or a part of more than 255 bytes',
    why: 'The finding is at the field that gives the name, for the default at `spec.upstream.package`. `render-variants`: nor `.git`, and the repository is one such part; `out` of the function is inside its package; the upstream repository and package are such paths too',
    example: '`packageNames: [a//b]`',
    toFix: 'Parts joined by `/`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1, packageNames: [a//b]}]
  #                                              ^
`,
    good: ['a//b', 'a-b'],
    shownBy: 'testdata/render-variants/out-outside',
  },
  'prepend-pipeline': {
    severity: 'info',
    summary: 'The number of functions of the pipeline that come from the variant',
    example: "`2 of 5 mutators and 1 of 1 validators of the pipeline come from PackageVariant 'upf-edge'`",
    toFix: 'Nothing to fix',
    shownBy: 'testdata/prepend-pipeline/empty-with-comment',
  },
  'reserved-context-key': {
    severity: 'error',
    summary: '`name` and `package-path` of the package context are set by kpt and Porch; a variant may neither set nor remove them',
    example: '`packageContext: {data: {name: a}}`',
    toFix: 'Use another key',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      packageContext:
        data: {name: a}
        #      ^
`,
    good: ['name: a', 'site: a'],
    shownBy: 'testdata/set-context/reserved-keys-of-a-config-map',
  },
  'set-context': {
    severity: 'info',
    summary: 'The number of keys of the package context that come from the variant',
    example: '`3 of 5 keys of the package context come from PackageVariant default/upf-edge`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/set-context/new-key-behind-an-open-end',
  },
  'variant-ambiguous': {
    severity: 'error',
    summary: 'There is no functionConfig, and the package is the downstream of several PackageVariants among the items',
    example: 'two variants with `downstream.package: upf`',
    toFix: 'Name one: `configPath: package-variant.yaml`',
    shownBy: 'testdata/set-context/variant-ambiguous',
  },
  'variant-missing': {
    severity: 'error',
    summary: 'There is no functionConfig, and the package is the downstream of no PackageVariant among the items',
    example: '`kpt fn eval --exec set-context` without arguments',
    toFix: 'Name a functionConfig, or add the PackageVariant',
    run: 'fn set-context .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
#                ^

# file: package-context.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: kptfile.kpt.dev}
data: {}
`,
    good: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}

# file: package-context.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: kptfile.kpt.dev}
data: {}
# file: variant.yaml
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  downstream: {repo: edge-1, package: web}
`,
    shownBy: 'testdata/set-context/variant-missing-marked',
  },
} as const satisfies RuleRecords
