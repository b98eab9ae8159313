import type { Difference, KnownDifference } from '../adapter.ts'

/** Where the built-in functions differ from those of the catalog on purpose, each with its row of docs/catalog.md. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    row: 'docs/catalog.md 3',
    reason: 'a list with unknown fields is refused',
    holds: ({ exitCode }) => exitCode === 0,
    explains: refusedWith(/expected only .* in a ResourceList/),
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
]

function refusedWith(message: RegExp): (difference: Difference) => boolean {
  return ({ what, expected, actual }) => what === 'exit code' && expected === 0 && message.test(String(actual))
}

function isDuplicate({ function: name, results, exitCode }: Readonly<Record<string, unknown>>): boolean {
  return name === 'set-namespace' && exitCode === 0 && JSON.stringify(results).includes('duplicate Resource(')
}
