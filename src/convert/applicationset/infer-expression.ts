import { groupBy } from '../../group-by.ts'
import type { JsonValue } from '../../json.ts'
import { quoted } from '../fleet-texts.ts'

/** The value that an Application needs, and what expressions know about the Application. */
export interface Example {
  readonly wanted: string
  readonly repository: string
  readonly packageName: string
  readonly labels: Readonly<Record<string, string>>
}

/**
 * Returns a CEL expression that gives every example its value: a text, else texts and variables in a row, else one such row for some
 * packages and another one for the others, else a table by repository and package.
 *
 * @example  'dev-web' of the repository dev and the package web → `repository.name + '-' + packageDefault`
 */
export function inferExpression(examples: readonly Example[]): string {
  const [first] = examples
  if (first === undefined) return "''"
  if (examples.every(({ wanted }) => wanted === first.wanted)) return quoted(first.wanted)
  const shared = Object.keys(first.labels).filter((key) => examples.every(({ labels }) => labels[key] !== undefined))
  const variables = [...VARIABLES, ...shared.toSorted().map(labelVariable), ...lastPart(examples)]
  return inRow(examples, variables, 2) ?? byPackage(examples, variables) ?? tableOf(examples)
}

/** Returns the variable of the last part of packages in folders: `web` of `apps/web`. CEL has no function for it, so it is a table. */
function lastPart(examples: readonly Example[]): readonly Variable[] {
  const nameOf = (path: string) => path.split('/').at(-1) ?? ''
  const paths = [...new Set(examples.map(({ packageName }) => packageName))].toSorted()
  if (paths.every((path) => !path.includes('/'))) return []
  const rows = paths.map((path) => `  ${quoted(path)}: ${quoted(nameOf(path))}`)
  return [{ expression: `{\n${rows.join(',\n')}\n}[packageDefault]`, of: ({ packageName }) => nameOf(packageName) }]
}

/** Returns a choice of at most four rows by the package. */
function byPackage(examples: readonly Example[], variables: readonly Variable[]): string | undefined {
  const rows = new Map<string, string[]>()
  for (const [name, own] of groupBy(examples, ({ packageName }) => packageName)) {
    const row = inRow(own, variables, 2)
    if (row === undefined) return undefined
    rows.set(row, [...(rows.get(row) ?? []), name])
  }
  if (rows.size > MOST_ROWS) return undefined
  const [[last = ''] = [], ...others] = [...rows].toReversed()
  return others.reduceRight(
    (rest, [row, names]) => `packageDefault in [${names.toSorted().map(quoted).join(', ')}] ? ${row === '' ? "''" : row}\n: ${rest}`,
    last === '' ? "''" : last,
  )
}

const MOST_ROWS = 4

interface Variable {
  readonly expression: string
  readonly of: (example: Example) => string
}

const VARIABLES: readonly Variable[] = [
  { expression: 'repository.name', of: ({ repository }) => repository },
  { expression: 'packageDefault', of: ({ packageName }) => packageName },
]

function labelVariable(key: string): Variable {
  return { expression: `repository.labels[${quoted(key)}]`, of: ({ labels }) => labels[key] ?? '' }
}

/** Finds a variable in the values of all examples, after one text, and does the same with what is behind the variable. */
function inRow(examples: readonly Example[], variables: readonly Variable[], most: number): string | undefined {
  const [rest = ''] = examples.map(({ wanted }) => wanted)
  if (examples.every(({ wanted }) => wanted === rest)) return rest === '' ? '' : quoted(rest)
  if (most === 0) return undefined
  for (const variable of variables) {
    const head = headBefore(examples, variable)
    if (head === undefined) continue
    const others = examples.map((each) => ({ ...each, wanted: each.wanted.slice(head.length + variable.of(each).length) }))
    const tail = inRow(others, variables, most - 1)
    if (tail !== undefined) return [head === '' ? '' : quoted(head), variable.expression, tail].filter((each) => each !== '').join(' + ')
  }
  return undefined
}

/** Returns the text before a variable, if it is the same in all examples. */
function headBefore(examples: readonly Example[], { of }: Variable): string | undefined {
  const [first] = examples
  const value = first === undefined ? '' : of(first)
  const at = value === '' ? -1 : (first?.wanted.indexOf(value) ?? -1)
  if (at === -1) return undefined
  const head = first?.wanted.slice(0, at) ?? ''
  return examples.every((each) => of(each) !== '' && each.wanted.startsWith(head + of(each))) ? head : undefined
}

function tableOf(examples: readonly Example[]): string {
  const rows = examples.map(({ repository, packageName, wanted }) => `  ${quoted(`${repository}/${packageName}`)}: ${quoted(wanted)}`)
  return `{\n${rows.toSorted().join(',\n')}\n}[repository.name + '/' + packageDefault]`
}

/** Returns the most frequent value of a list, the first of several. */
export function mostFrequent(values: readonly JsonValue[]): JsonValue | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(JSON.stringify(value), (counts.get(JSON.stringify(value)) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  return values.find((value) => counts.get(JSON.stringify(value)) === most)
}
