import type { RuleRecords } from './rule-record.ts'

/** Files, folders and links on the disk and in git. */
export const FILES_RECORDS = {
  'changed-meanwhile': {
    severity: 'error',
    when: 'error of the tool',
    summary: 'A person or another run changed a file after the command read it and before the command wrote it; the file is left as it is',
    example: 'a file saved while `run` runs its functions',
    toFix: 'Run the command again',
    shownBy: 'cli/hold-folders.test.ts',
  },
  'file-ending': {
    severity: ['warning', 'error'],
    summary:
      'The ending of a file, or the name Kptfile, differs only in upper and lower case from what kpt reads, so no program reads the file',
    why: 'An error for a file of the fleet outside of packages',
    example: '`set.YAML`, `kptfile`',
    toFix: 'Rename it, or name it in `.krmignore` if it is no resource',
    bad: `# file: set.YAML
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['set.YAML', 'set.yaml'],
    shownBy: 'testdata/cli/plan-ending-in-upper-case',
  },
  'file-unwritable': {
    severity: 'error',
    when: 'error of the tool',
    summary:
      'A function would write objects where it must not: a folder or another file is in the way, a link leads out of the folder, or `.krmignore` leaves the file out, so that the next run would not see them',
    example: '`.krmignore` with `dependencies.yaml`',
    toFix: 'Do what the message says',
    shownBy: 'testdata/cli/resolve-in-the-way',
  },
  'link-left-out': {
    severity: 'warning',
    summary:
      'A symbolic link in an upstream package is not copied, because it would point elsewhere in the downstream package. kpt does not copy links either',
    example: '`latest -> v2`',
    toFix: 'Put the file itself there',
    shownBy: 'testdata/cli/render-link',
  },
  'link-outside': {
    severity: ['warning', 'error'],
    summary:
      'A symbolic link leads out of the package that `run` reads, or out of the git repository (without one the folder) that another command reads',
    why: 'The link is neither read nor written through. An error for a file of the fleet outside of packages',
    example: '`link.yaml -> ../outside.yaml`',
    toFix: 'Copy the file to the place of the link',
    shownBy: 'testdata/cli/run-link-outside',
  },
  'not-a-resource': {
    severity: ['error', 'warning'],
    when: 'error; warning of `fn`, which leaves the file as it is',
    summary:
      'A file of a package whose functions are to run holds YAML that is no resource; `run` and kpt refuse it in a package without functions too; `check` reports such a package if the folder has no set or variant, and with `--target kpt`',
    example: '`values.yaml` with `replicas: 2`',
    toFix: 'Name the file in `.krmignore`',
    run: 'run .',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: set-labels:v0.1.5, configMap: {a: b}}
# file: values.yaml
replicas: 2
`,
    at: 'values.yaml:1:1',
    good: [
      `# file: values.yaml
replicas: 2`,
      `# file: .krmignore
values.yaml
# file: values.yaml
replicas: 2`,
    ],
    shownBy: 'testdata/cli/run-not-a-resource',
  },
  'not-checked-out': {
    severity: 'error',
    summary:
      'Git has files of the fleet, of an upstream package or of a rendered package, and the checkout leaves them out: a sparse checkout, or a submodule that was not cloned',
    why: 'A file that is not read must not count as deleted, so no command goes on',
    example: '`git sparse-checkout set` without `clusters/`',
    toFix: 'Check the folder out with the command of the message, render a part with `--only`, or name the file in `.krmignore`',
    shownBy: 'cli/render/not-checked-out.test.ts',
  },
  'nothing-read': {
    severity: 'error',
    summary: '`check`, `graph`, `resolve` or `simulate` found no resource to work on, or only resources of a misspelt group',
    example: 'a folder of documentation',
    toFix: 'Name the folder with the fleet; `.krmignore` may leave it out',
    bad: `# file: README.md
No fleet.
`,
    good: `# file: README.md
No fleet.
# file: set.yaml
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
`,
    shownBy: 'testdata/cli/graph-nothing',
  },
  'path-collision': {
    severity: 'error',
    summary:
      'Two paths of an upstream package cannot both be written: a path occurs twice, one is a file where the other has a folder, or both differ only in case, Unicode form or a final dot, so that some file systems treat both as one',
    why: 'An update also reports this of a new file beside those of the downstream package, and of a new file below a link there',
    example: '`README.md` and `Readme.md`',
    toFix: 'Rename one upstream; downstream, move yours',
    shownBy: 'testdata/render-variants/paths-differ-in-case',
  },
  'template-file': {
    severity: ['warning', 'error'],
    summary:
      'A file of a chart in a package contains `{{`: a template of another program, no YAML. The file is ignored, unless it contains a PackageVariant or PackageVariantSet',
    why: 'A chart is a folder with a `Chart.yaml`; anywhere else such a file is an error, `unreadable-file`. An error in a package with `check --target kpt`, which refuses the package',
    example: '`name: {{ .Values.name }}` in a chart',
    toFix: 'Name the file in `.krmignore`',
    shownBy: 'testdata/cli/plan-template-file',
  },
  'tree-entry': {
    severity: 'error',
    summary:
      'An entry of an upstream package is no file and no link: a submodule, a mode that git does not know, a pipe, a device; or the repository lacks its content',
    why: 'No part of such a package is rendered',
    example: 'a submodule in the package',
    toFix: 'Put the files themselves into the package; if content is missing, fetch the repository again',
    shownBy: 'src/git/git.test.ts',
  },
  'unreadable-file': {
    severity: ['error', 'warning'],
    summary: 'A file of the folder is no YAML; the message names the most likely mistake and the fix. kpt refuses the whole package for it',
    why: 'Control characters and aliases without an anchor above them are no YAML either, nor are binary files and UTF-16, which the message names. A text of more than 1,000,000 characters must have the layout that kpt writes: the message names the first line that has an anchor, a tag, a merge key, a long key or a tab, or the likely fault. In a package that `render` made such a file is a warning of `render` and stays as it is, unless upstream changed it; `rings`, `promote`, `outdated` and `explain` report it as an error and go on with the other packages. A byte order mark (U+FEFF) in a plain key, and U+0085, U+2028 or U+2029 outside quotes, are refused too: readers disagree on them. What follows a line `...` is not read, as in kpt. Also a file or folder of a fleet that the operating system does not let read, a pointer of Git LFS in the place of a file, and a symbolic link that leads to itself or to nothing. In packages, text behind `...` and a link that leads to nothing are warnings; outside of packages everything that is not read is an error, a file with a text alone too, since a set or cluster that is not read would count as removed',
    example: 'a list that is never closed',
    toFix: 'Fix it, or name it in `.krmignore` if it is no resource; remove a broken link, make a file or folder readable',
    bad: `# file: a.yaml
list: [a, b
# file: set.yaml
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
`,
    at: 'a.yaml:2:1',
    good: ['[a, b', '[a, b]'],
    shownBy: 'testdata/cli/render-cut-kptfile',
  },
  'unsafe-path': {
    severity: 'error',
    summary:
      "A path of an upstream package, of an item of the list or of a file to be written could leave its folder or reach git's: it is absolute, has an empty part, `.` or `..`, a backslash or a control character, is no UTF-8, is `.git` or what a file system takes for it (`.GIT`, `git~1`, `.git.`, with invisible code points), or has the name of a temporary file of this program. git refuses most of these when it checks a tree out",
    example: '`../../.git/hooks/post-checkout`',
    toFix: 'Rename the file; if you did not name it so, do not trust the repository',
    shownBy: 'testdata/fan-out/path-leads-out',
  },
} as const satisfies RuleRecords
