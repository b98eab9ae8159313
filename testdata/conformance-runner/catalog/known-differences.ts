import { equalJson, type JsonValue } from '../../../src/json.ts'
import type { Difference, KnownDifference } from '../adapter.ts'

/** Versions that read every object as JSON and write it anew. */
const AS_JSON: ReadonlySet<string> = new Set(['set-namespace v0.1.4', 'set-namespace v0.2.0', 'set-labels v0.1.5'])

function isAsJson({ function: name, version }: Readonly<Record<string, unknown>>): boolean {
  return AS_JSON.has(`${name} ${version}`)
}

/** Where the built-in functions differ from those of the catalog on purpose, each with its row of docs/catalog.md. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/catalog.md 4',
    reason: 'an alias never loses its anchor',
    holds: ({ input }) => /: &\w/.test(String(input)),
    explains: refusedWith(/\[anchored\]/),
  },
  {
    row: 'docs/catalog.md 5',
    reason: 'no service without a name is made',
    holds: ({ function: name, input }) => name === 'set-namespace' && /kind: (CustomResourceDefinition|APIService)/.test(String(input)),
    explains: ({ what, expected, actual }) =>
      (/ (CustomResourceDefinition .*: spec\.conversion|APIService .*: spec\.service)$/.test(what) &&
        actual === undefined &&
        /^({"webhook":{"clientConfig":{"service":)?{"namespace":"[^"]*"}(}}})?$/.test(JSON.stringify(expected))) ||
      (what === 'results' &&
        /"\[\\"namespace /.test(JSON.stringify(expected)) &&
        /all (matching )?namespaces are already|value\(s\) changed/.test(String(actual))),
  },
  {
    row: 'docs/catalog.md 6',
    reason: 'objects that coincide fail the function',
    holds: isDuplicate,
    explains: refusedWith(/\[duplicate-object\]/),
  },
  {
    row: 'docs/catalog.md 7',
    reason: 'objects that were one before are no fault of the function',
    holds: isDuplicate,
    explains: ({ what, expected, actual }) =>
      what === 'results' && String(expected).includes('duplicate Resource(') && /value\(s\) changed|no value changed/.test(String(actual)),
  },
  {
    row: 'docs/catalog.md 10',
    reason: 'no selector is made in an item without kind',
    holds: ({ function: name, input }) => name === 'set-labels' && /^- {}$/m.test(String(input)),
    explains: ({ what, actual }) => (/^object +: spec$/.test(what) && actual === undefined) || what === 'results',
  },
  {
    row: 'docs/catalog.md 11',
    reason: 'a value that is no text is an error',
    holds: ({ function: name, results }) => name === 'set-labels' && JSON.stringify(results).includes('no `labels` arguments are given'),
    explains: refusedWith(/data\.[^ ]*` must be a string, got a (map|list)/),
  },
  {
    row: 'docs/catalog.md 15',
    reason: 'metadata without a field stays',
    holds: ({ input }) => /^(- {}| {2}metadata:( {})?| {4}annotations:( {})?)$/m.test(String(input)),
    explains: ({ what, expected, actual }) =>
      expected === undefined && /: metadata(\.annotations)?$|^object +$/.test(what) && ['{}', 'null'].includes(JSON.stringify(actual)),
  },
  {
    row: 'docs/catalog.md 16',
    reason: 'a value that is no text is an error',
    holds: ({ function: name }) => ['apply-setters', 'search-replace', 'create-setters'].includes(String(name)),
    explains: refusedWith(/data\.[^ ]*` must be a string, got a (map|list)/),
  },
  {
    row: 'docs/catalog.md 19',
    reason: 'a list is never emptied',
    holds: ({ function: name }) => name === 'remove-local-config-resources',
    explains: refusedWith(/\[empty-package\]/),
  },
  {
    row: 'docs/catalog.md 25',
    reason: 'a field with null stays',
    holds: isAsJson,
    explains: ({ what, expected, actual }) => /^object .*: /.test(what) && expected === undefined && actual === null,
  },
  {
    row: 'docs/catalog.md 26',
    reason: 'a namespace is a text',
    holds: (vector) => isAsJson(vector) && vector.function === 'set-namespace',
    explains: ({ what, expected, actual }) =>
      /(subjects\[\d+\]|metadata)\.namespace$/.test(what) && typeof expected !== 'string' && String(expected) === actual,
  },
  {
    row: 'docs/catalog.md 27',
    reason: 'results of earlier functions belong to the host',
    explains: ({ what, expected, actual }) =>
      what === 'results' &&
      Array.isArray(expected) &&
      equalJson(
        expected.filter((text) => text !== '["earlier","info","",""]'),
        actual,
      ),
  },
  {
    row: 'docs/catalog.md 28',
    reason: 'the label n is a label',
    holds: (vector) => isAsJson(vector) && /^ +(y|n|yes|no|on|off): /im.test(String(vector.input).split(/^functionConfig:$/m)[1] ?? ''),
    explains: ({ what, expected, actual }) => what === 'exit code' && expected === 1 && actual === '0: ',
  },
  {
    row: 'docs/catalog.md 11',
    reason: 'a value that is no text is an error',
    holds: ({ function: name, version }) => name === 'set-labels' && version === 'v0.1.5',
    explains: refusedWith(/data\.[^ ]*` must be a string, got a (map|list)/),
  },
  {
    row: 'docs/catalog.md 29',
    reason: 'an error fails the function',
    holds: ({ function: name, version, results }) =>
      name === 'set-namespace' && version === 'master' && JSON.stringify(results).includes('"severity":"error"'),
    explains: refusedWith(/\[(function-config|required|several-origins)\]/),
  },
  {
    row: 'docs/catalog.md 20',
    reason: 'no text is written with the tag of a number or boolean',
    holds: ({ function: name }) => name === 'apply-replacements',
    explains: refusedWith(/must not lead to the (number|boolean) .* \[replacement-target\]/),
  },
  {
    row: 'docs/catalog.md 21',
    reason: 'a value in the place of null or of another number has its own type',
    holds: ({ function: name }) => name === 'apply-replacements',
    explains: ({ what, expected, actual }) =>
      /^object .*: /.test(what) &&
      typeof expected === 'string' &&
      ['number', 'boolean'].includes(typeof actual) &&
      (expected === String(actual) || isSameNumber(expected, String(actual))),
  },
  {
    row: 'docs/catalog.md 12',
    reason: 'an item that is null is refused',
    holds: ({ input }) => /^- (null|~)?$/m.test(String(input)),
    explains: refusedWith(/`items\[\d+\]` must be a map, got null/),
  },
  {
    row: 'docs/catalog.md 13',
    reason: 'a key that is there twice is an error',
    holds: ({ exitCode }) => exitCode === 0,
    explains: refusedWith(/`data\.[^`]*` must occur once in its map/),
  },
  {
    row: 'docs/catalog.md 14',
    reason: 'a number of the functionConfig keeps its spelling',
    holds: ({ function: name, version }) => name === 'set-annotations' || `${name} ${version}` === 'set-labels v0.1.5',
    explains: ({ what, expected, actual }) =>
      /(annotations|[lL]abels|selector)[.[]/.test(what) &&
      typeof actual === 'string' &&
      typeof expected === 'string' &&
      isSameNumber(actual, expected),
  },
  {
    row: 'docs/catalog.md 30',
    reason: 'an infinite number fails nothing',
    holds: ({ function: name, input }) => name === 'set-image' && /: [-+]?\.(inf|nan)$/im.test(String(input)),
    explains: ({ what, expected, actual }) => what === 'exit code' && expected === 1 && /^0:/.test(String(actual)),
  },
  {
    row: 'docs/catalog.md 31',
    reason: 'an image with a new name keeps the signs before its tag and digest',
    holds: ({ function: name, version }) => name === 'set-image' && version === 'master',
    explains: ({ what, expected, actual }) => what.endsWith('.image') && isTornImage(String(expected), String(actual)),
  },
  {
    row: 'docs/catalog.md 32',
    reason: 'an error among the results is an exit code',
    holds: ({ function: name, version, results }) =>
      name === 'set-image' && version === 'master' && JSON.stringify(results).includes('cannot set or create an empty field name'),
    explains: refusedWith(/additionalImageFields\[\d+\]\.path` must be set/),
  },
  {
    row: 'docs/catalog.md 33',
    reason: 'the annotations that place an item in its file are not written',
    holds: ({ function: name }) => name === 'search-replace' || name === 'create-setters',
    explains: (difference) =>
      refusedWith(/`metadata\.annotations` must be a map/)(difference) ||
      (difference.what === 'results' &&
        lacksOnly(difference, /"metadata\.annotations\.(internal\.)?config\.kubernetes\.io\/(path|index)"/)),
  },
  {
    row: 'docs/catalog.md 34',
    reason: 'a result about a list names the list and not by-path',
    holds: ({ function: name, input }) => name === 'search-replace' && /by-path: [\s\S]*put-comment: /.test(String(input)),
    explains: ({ what, expected, actual }) => what === 'results' && sameResults(expected, actual),
  },
  {
    row: 'docs/catalog.md 35',
    reason: 'a list in brackets whose entries get comments has a line for each entry',
    holds: ({ function: name, input }) => name === 'create-setters' || /put-comment: /.test(String(input)),
    explains: ({ what, expected }) => what.startsWith('a line of item ') && /[:-] (\[.*\]|{.*})( #.*)?$/.test(String(expected)),
  },
  {
    row: 'docs/catalog.md 36',
    reason: 'a comment is one line',
    holds: ({ input }) => /put-comment: ".*\\n/.test(String(input)),
    explains: refusedWith(/\[line-comment\]/),
  },
  {
    row: 'docs/catalog.md 37',
    reason: 'the longest value comes first',
    holds: ({ function: name, input }) => name === 'create-setters' && hasValueInValue(String(input)),
    explains: ({ what }) => what === 'results',
  },
  {
    row: 'docs/catalog.md 38',
    reason: 'a text of several lines gets no comment',
    holds: ({ function: name, input }) => name === 'create-setters' && /: [|>][-+]?$/m.test(String(input)),
    explains: (difference) =>
      refusedWith(/\[no-setters\]/)(difference) ||
      String(difference.expected).startsWith('# ') ||
      (difference.what === 'results' && lacksOnly(difference, /comment \\"kpt-set: .*\\\\n/)),
  },
  {
    row: 'docs/catalog.md 39',
    reason: 'a number among the annotations stays',
    holds: ({ function: name }) => name === 'ensure-name-substring',
    explains: ({ what, expected, actual }) =>
      /: metadata\.(annotations|labels)/.test(what) &&
      typeof actual === 'number' &&
      typeof expected === 'string' &&
      Number(expected) === actual,
  },
  {
    row: 'docs/catalog.md 40',
    reason: 'an unknown mode is an error',
    holds: ({ function: name, input }) => name === 'ensure-name-substring' && /editMode: (?!prepend|append)/.test(String(input)),
    explains: refusedWith(/`editMode` must be one of/),
  },
]

/** One setter's value is a part of another's, or equal to it. */
function hasValueInValue(input: string): boolean {
  const data = /^ {2}data:\n((?: {4}.*\n)*)/m.exec(input.slice(input.indexOf('functionConfig:')))?.[1] ?? ''
  const values = [...data.matchAll(/^ {4}\w+: (.*)$/gm)].map(([, value = '']) => value)
  return values.some((value, index) => values.some((other, at) => at !== index && other.includes(value)))
}

/** Every entry that only one side has is a recorded one that matches; ours has nothing of its own. */
function lacksOnly({ expected, actual }: Difference, pattern: RegExp): boolean {
  const [recorded, ours] = [textsOf(expected), textsOf(actual)]
  const left = recorded.filter((text) => !pattern.test(text))
  const nothing = ['["no matches","info","",""]']
  return JSON.stringify(left.length === 0 ? nothing : left) === JSON.stringify(ours)
}

/** Equal but for the annotations of the wire, and for results about lists, of which both sides have the same number, in the same files. */
function sameResults(expected: JsonValue | undefined, actual: JsonValue | undefined): boolean {
  const fileOf = (text: string) => text.slice(text.lastIndexOf(','))
  const isWire = (text: string) => /"metadata\.annotations\.(internal\.)?config\.kubernetes\.io\/(path|index)"/.test(text)
  const recorded = textsOf(expected).filter((text) => !isWire(text))
  const ours = textsOf(actual)
  const lists = recorded.filter((text) => / # [^"]*","[^"]*"\]$/.test(text) && !ours.includes(text))
  const ownLists = ours.filter((text) => !recorded.includes(text))
  return (
    lists.length > 0 &&
    JSON.stringify(recorded.filter((text) => !lists.includes(text))) === JSON.stringify(ours.filter((text) => !ownLists.includes(text))) &&
    JSON.stringify(lists.map(fileOf).sort()) === JSON.stringify(ownLists.map(fileOf).sort())
  )
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** `nginx1.14` of `nginx:1.14@sha256:ab`: without the sign before the tag or the digest, and without a second part. */
function isTornImage(torn: string, image: string): boolean {
  const [, name = '', tag, digest] = /^(.*?)(?::([^:@/]*))?(?:@(.*))?$/.exec(image) ?? []
  return torn === `${name}${tag ?? digest ?? ''}`
}

/** `011` is 9 for YAML 1.1, `1.50` is 1.5. */
function isSameNumber(written: string, read: string): boolean {
  return /^0[0-7]+$/.test(written)
    ? Number.parseInt(written, 8) === Number(read)
    : /^[-+.\d]/.test(written) && Number(written) === Number(read)
}

function refusedWith(message: RegExp): (difference: Difference) => boolean {
  return ({ what, expected, actual }) => what === 'exit code' && expected === 0 && message.test(String(actual))
}

function isDuplicate({ function: name, results, exitCode }: Readonly<Record<string, unknown>>): boolean {
  return name === 'set-namespace' && exitCode === 0 && JSON.stringify(results).includes('duplicate Resource(')
}
