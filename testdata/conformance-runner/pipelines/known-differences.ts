import { asRecord, equalJson, type JsonRecord, scalarText } from '../../../src/json.ts'
import type { Difference, KnownDifference } from '../adapter.ts'

/** Where `run` is meant to differ from `kpt fn render`: docs/kpt.md. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/kpt.md 4',
    reason: 'a function that prints nothing, or an empty list for the whole package, fails; in kpt it deletes the package',
    holds: (vector) =>
      /\\"what\\": \\"nothing\\"|items: (?:\[\]|null)\\\\n|\{op: delete\}|\{\\"op\\": \\"delete\\"\}/.test(JSON.stringify(vector.files)),
    explains: (difference) => isRefusal(difference, 0, ['function-failed']),
  },
  {
    row: 'docs/kpt.md 5',
    reason: 'a key that is in a map twice is an error; kpt gives both the first value',
    holds: (vector) => Object.values(filesOf(vector)).some((text) => /^( *)(\w+):[^\n]*\n\1\2:/m.test(scalarText(text))),
    explains: (difference) => isRefusal(difference, 0, ['duplicate-key']),
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
    explains: (difference) => isRefusal(difference, 2, ['function-config-path']),
  },
  {
    row: 'docs/kpt.md 8',
    reason: 'a resource is not put over a file that holds none, nor where .krmignore hides it',
    holds: (vector) => /"value\\?": \\?"(?:README\.md|ig\.yaml|\.krmignore)/.test(JSON.stringify(vector.files).replaceAll('\\', '')),
    explains: (difference) => isRefusal(difference, 0, ['file-unwritable']),
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
    holds: (vector) => Object.values(filesOf(vector)).some((text) => EMPTY_ANNOTATIONS.test(scalarText(text))),
    explains: ({ what, expected, actual }, vector) => {
      const [path = '', field = ''] = what.split(': ')
      const isEmptyBefore = EMPTY_ANNOTATIONS.test(scalarText(filesOf(vector)[path]))
      return isEmptyBefore && /^\[\d+\]\.metadata\.annotations$/.test(field) && expected === undefined && equalJson(actual, {})
    },
  },
  {
    row: 'docs/kpt.md 13',
    reason: 'an item that two selectors match is passed once; kpt passes the item twice, and the function fails',
    holds: (vector) => Object.values(filesOf(vector)).some((text) => /selectors:\n +- .*\n +- /s.test(scalarText(text))),
    explains: (_, vector) => Number(vector.exitCode) === 1 && scalarText(vector.stderr).includes('already exists'),
  },
  {
    row: 'docs/kpt.md 14',
    reason: 'YAML in `.git` is not read',
    holds: (vector) => Object.keys(filesOf(vector)).some((path) => path.includes('/.git/')),
    explains: ({ what, expected, actual }) => {
      const others = scalarText(expected)
        .split(',')
        .filter((item) => !item.includes('@.git/'))
      return what.includes('/.git/') || (typeof actual === 'string' && actual === others.join(','))
    },
  },
  {
    row: 'docs/kpt.md 15',
    reason: 'a template is left unchanged; kpt fails on it',
    holds: (vector) => Object.values(filesOf(vector)).some((text) => scalarText(text).includes('{{')),
    explains: (_, vector) => Number(vector.exitCode) === 1,
  },
  {
    row: 'docs/kpt.md 16',
    reason: 'an unknown field of the Kptfile outside of its pipeline stays',
    explains: (_, vector) => /field \S+ not found in type v1\.(?!Function|Pipeline|Selector)/.test(scalarText(vector.stderr)),
  },
  {
    row: 'docs/kpt.md 17',
    reason: 'the condition `when` of the newest API is evaluated',
    explains: (_, vector) => /field when not found in type v1\.Function/.test(scalarText(vector.stderr)),
  },
  {
    row: 'docs/kpt.md 18',
    reason: 'the `configRef` of the newest API is used',
    explains: (_, vector) => /field configRef not found in type v1\.Function/.test(scalarText(vector.stderr)),
  },
  {
    row: 'docs/kpt.md 1',
    reason: 'a path that cannot be written fails the function, whose failure is in the status; kpt fails after the last function',
    holds: (vector) => /"value\\?": \\?"[^"/]*\w\.\.\w/.test(JSON.stringify(vector.files).replaceAll('\\', '')),
    explains: ({ what, expected, actual }) =>
      /Kptfile: \[0\]\.status$/.test(what) && expected === undefined && JSON.stringify(actual).includes('"reason":"RenderFailed"'),
  },
  {
    row: 'docs/kpt.md 21',
    reason: 'a range of versions in `tag` is not resolved over the tags of a registry, so the status has the range',
    holds: (vector) => Object.values(filesOf(vector)).some((text) => /^ +tag: ['"]?[~^<>=]/m.test(scalarText(text))),
    explains: ({ what, expected, actual }) => {
      const [name = '', tag = ''] = scalarText(actual).split(/:(?=[^:/]*$)/)
      return /Steps\[\d+\]\.image$/.test(what) && /^[~^<>=]/.test(tag) && scalarText(expected).startsWith(`${name}:v`)
    },
  },
  {
    row: 'docs/kpt.md 11',
    reason: 'resources of Config Connector get no mark of the tool that read them',
    holds: (vector) => Object.values(filesOf(vector)).some((text) => scalarText(text).includes('.cnrm.')),
    explains: ({ what, expected, actual }) =>
      what.endsWith('["cnrm.cloud.google.com/blueprint"]') && [`${scalarText(actual)},krm-fn`, 'krm-fn'].includes(scalarText(expected)),
  },
  {
    row: 'docs/kpt.md 22',
    reason: 'a function may put a text or a list in the place of a map',
    explains: (_, vector) => Number(vector.exitCode) === 1 && scalarText(vector.stderr).includes('wrong node kind: expected MappingNode'),
  },
  {
    row: 'docs/kpt.md 24',
    reason: 'a function that removes or moves the Kptfile does not take it from the package',
    holds: (vector) => {
      const after = asRecord(vector.filesAfter)
      return after['pkg/Kptfile'] === null && Number(vector.exitCode) === 0
    },
    explains: ({ what }) => /^pkg\/Kptfile2?$/.test(what),
  },
  {
    row: 'docs/kpt.md 25',
    reason: 'a list of objects needs no name',
    holds: (vector) => Object.values(filesOf(vector)).some((text) => /^kind: \w*List\n(?!metadata)/m.test(scalarText(text))),
    explains: (_, vector) => Number(vector.exitCode) === 1 && scalarText(vector.stderr).includes('resource must have `metadata.name`'),
  },
]

function filesOf({ files }: JsonRecord): JsonRecord {
  return asRecord(files)
}

const EMPTY_ANNOTATIONS = /^ +annotations: *\{ *\}/m

/** The run is refused for these rules alone, and every file of the case keeps its bytes; kpt ends with `exitCode`. */
function isRefusal({ what, expected, actual }: Difference, exitCode: number, rules: readonly string[]): boolean {
  return what === 'refused' && expected === exitCode && equalJson(actual, rules)
}
