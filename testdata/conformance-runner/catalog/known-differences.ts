import type { Difference, KnownDifference } from '../adapter.ts'

/** Where the built-in functions differ from those of the catalog on purpose, each with its row of docs/catalog.md. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/catalog.md 3',
    reason: 'a list with unknown fields is refused',
    holds: ({ exitCode }) => exitCode === 0,
    explains: refusedWith(/expected only .* in a ResourceList|expected `kind: ResourceList`/),
  },
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
      (/ CustomResourceDefinition .*: spec\.conversion$/.test(what) &&
        actual === undefined &&
        /^{"webhook":{"clientConfig":{"service":{"namespace":"[^"]*"}}}}$/.test(JSON.stringify(expected))) ||
      (what === 'results' &&
        /^\["\[\\"namespace /.test(JSON.stringify(expected)) &&
        /all namespaces are already|value\(s\) changed/.test(String(actual))),
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
    holds: ({ input }) => /^(- {}| {2}metadata:( {})?)$/m.test(String(input)),
    explains: ({ what, expected, actual }) =>
      expected === undefined && /: metadata$|^object +$/.test(what) && ['{}', 'null'].includes(JSON.stringify(actual)),
  },
  {
    row: 'docs/catalog.md 16',
    reason: 'a value that is no text is an error',
    holds: ({ function: name }) => name === 'apply-setters',
    explains: refusedWith(/data\.[^ ]*` must be a string, got a (map|list)/),
  },
  {
    row: 'docs/catalog.md 19',
    reason: 'a list is never emptied',
    holds: ({ function: name }) => name === 'remove-local-config-resources',
    explains: refusedWith(/\[empty-package\]/),
  },
  {
    row: 'docs/catalog.md 20',
    reason: 'no text is written with the tag of a number or boolean',
    holds: ({ function: name }) => name === 'apply-replacements',
    explains: refusedWith(/must not lead to the (number|boolean) .* \[replacement-target\]/),
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
    explains: refusedWith(/`data\.[^`]*` must stand once in its map/),
  },
  {
    row: 'docs/catalog.md 14',
    reason: 'a number of the functionConfig keeps its spelling',
    holds: ({ function: name }) => name === 'set-annotations',
    explains: ({ what, expected, actual }) =>
      /annotations[.[]/.test(what) && typeof actual === 'string' && typeof expected === 'string' && isSameNumber(actual, expected),
  },
]

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
