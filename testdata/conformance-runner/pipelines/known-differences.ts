import { asRecord, equalJson, type JsonRecord, type JsonValue, scalarText } from '../../../src/json.ts'
import type { Difference, KnownDifference } from '../adapter.ts'

/** Where `run` is meant to differ from `kpt fn render`: docs/kpt.md. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/kpt.md 2',
    reason: '`run` writes to the package; --dry-run --diff shows what it would write',
    holds: (vector) => / -o /.test(commandOf(vector)),
    explains: ({ what, actual }) => (what === 'exit code' && Number.isNaN(actual)) || (what.startsWith('out/') && actual === undefined),
  },
  {
    row: 'docs/kpt.md 3',
    reason: 'results are printed, no results.yaml is written',
    holds: (vector) => commandOf(vector).includes(' --results-dir '),
    explains: ({ what, actual }) => what === 'results/results.yaml' && actual === undefined,
  },
  {
    row: 'docs/kpt.md 4',
    reason: 'a function that prints nothing, or an empty list for the whole package, fails; in kpt it deletes the package',
    holds: (vector) => /\\"what\\": \\"nothing\\"|items: \[\]\\\\n/.test(JSON.stringify(vector.files)),
    explains: (difference, vector) => isRefusal(difference, vector),
  },
  {
    row: 'docs/kpt.md 5',
    reason: 'a key that is in a map twice is an error; kpt gives both the first value',
    holds: (vector) => Object.values(filesOf(vector)).some((text) => /^( *)(\w+):[^\n]*\n\1\2:/m.test(scalarText(text))),
    explains: (difference, vector) => isRefusal(difference, vector) || (difference.expected === 1 && difference.actual === 2),
  },
  {
    row: 'docs/kpt.md 6',
    reason: 'a symbolic link out of the package is not followed, nor written through',
    holds: (vector) => Object.values(asRecord(vector.symlinks)).some((target) => scalarText(target).startsWith('../')),
    explains: ({ what, expected, actual }) =>
      what === 'out.yaml: [0].metadata.annotations'
        ? actual === undefined
        : scalarText(expected).startsWith(`${scalarText(actual)},`) && scalarText(expected).endsWith('@o.yaml#0'),
  },
  {
    row: 'docs/kpt.md 7',
    reason: 'a configPath to an empty file is an error with its place; kpt panics',
    holds: (vector) => Object.values(filesOf(vector)).includes(''),
    explains: ({ what, expected, actual }) => what === 'exit code' && expected === 2 && actual === 1,
  },
  {
    row: 'docs/kpt.md 8',
    reason: 'a resource is not put over a file that holds none, nor where .krmignore hides it',
    holds: (vector) => /"value\\?": \\?"(?:README\.md|ig\.yaml)/.test(JSON.stringify(vector.files).replaceAll('\\', '')),
    explains: (difference, vector) => isRefusal(difference, vector) || leavesFile(difference, vector),
  },
  {
    row: 'docs/kpt.md 9',
    reason: 'a parent that deletes every resource of a subpackage does so; in kpt they return with internal annotations',
    holds: (vector) =>
      /kpt\.dev\/bfs-rendering: 'true'/.test(JSON.stringify(vector.files)) && JSON.stringify(vector.files).includes('delete'),
    explains: ({ expected, actual }, vector) =>
      actual === undefined && JSON.stringify(vector.filesAfter).includes('annotations-migration-resource-id') && expected !== undefined,
  },
  {
    row: 'docs/kpt.md 10',
    reason: 'resources that no function changed keep what they have: empty annotations stay',
    holds: (vector) => Object.values(filesOf(vector)).some((text) => scalarText(text).includes('annotations:')),
    explains: ({ what, expected, actual }) => what.endsWith('].metadata.annotations') && expected === undefined && equalJson(actual, {}),
  },
  {
    row: 'docs/kpt.md 11',
    reason: 'resources of Config Connector get no mark of the tool that read them',
    holds: (vector) => Object.values(filesOf(vector)).some((text) => scalarText(text).includes('.cnrm.')),
    explains: ({ what, expected, actual }) =>
      what.endsWith('["cnrm.cloud.google.com/blueprint"]') && [`${scalarText(actual)},krm-fn`, 'krm-fn'].includes(scalarText(expected)),
  },
]

function commandOf({ command }: JsonRecord): string {
  return Array.isArray(command) ? command.map(scalarText).join(' ') : scalarText(command)
}

function filesOf({ files }: JsonRecord): JsonRecord {
  return asRecord(files)
}

/** The run fails, and what the case changes or removes is as it was. */
function isRefusal({ what, expected, actual }: Difference, vector: JsonRecord): boolean {
  if (what === 'exit code') return expected === 0 && actual === 1
  const [path = ''] = what.split(': ')
  const after: JsonValue | undefined = asRecord(vector.filesAfter)[path]
  if (after === null) return expected === undefined && actual !== undefined
  return Object.hasOwn(filesOf(vector), path) && after !== undefined && actual === undefined
}

/** A file that a resource would have been put over has its own text. */
function leavesFile({ what, actual }: Difference, vector: JsonRecord): boolean {
  const [path = ''] = what.split(': ')
  return ['pkg/README.md', 'pkg/ig.yaml'].includes(path) && scalarText(filesOf(vector)[path]).includes(scalarText(actual))
}
