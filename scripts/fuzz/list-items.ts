/** An item as a judge sees it, with its lines. */
export interface JudgedItem {
  readonly value: unknown
  readonly text: string
}

/**
 * The items of a list; undefined where the lines do not divide them as kpt lays them out, or the judge reads no list.
 * Independent of how the functions cut a list.
 */
export function judgedItems(text: string, value: unknown): readonly JudgedItem[] | undefined {
  const values = isRecordOf(value) ? (value.items ?? []) : undefined
  const texts = itemLines(text)
  if (!Array.isArray(values) || texts === undefined || texts.length !== values.length) return undefined
  return texts.map((lines, index) => ({ text: lines.trimEnd(), value: values[index] }))
}

function isRecordOf(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function itemLines(text: string): readonly string[] | undefined {
  const [, after] = /(?:^|\n)items:[^\n]*\n([\s\S]*)$/.exec(text) ?? []
  if (after === undefined) return /(?:^|\n)items: *\[\]/.test(text) ? [] : undefined
  const lines = `\n${after}`
  const end = lines.search(/\n[A-Za-z.]/)
  const [before, ...items] = (end === -1 ? lines : lines.slice(0, end)).split(/\n(?=-[ \r\n])/)
  return before === '' && items.length > 0 ? items : undefined
}

/** Returns the name of an object and its place. */
export function identityOf(value: unknown): string {
  const root = isRecordOf(value) ? value : {}
  const metadata = isRecordOf(root.metadata) ? root.metadata : {}
  const annotations = isRecordOf(metadata.annotations) ? metadata.annotations : {}
  const parts = [
    root.apiVersion,
    root.kind,
    metadata.namespace,
    metadata.name,
    annotations['internal.config.kubernetes.io/path'] ?? annotations['config.kubernetes.io/path'],
  ]
  return JSON.stringify(parts)
}

/** Returns the kind of an object. What stands in a Kptfile is one, but for a package context that a mutation moved there. */
export function kindOf(value: unknown): string {
  const kind = isRecordOf(value) && typeof value.kind === 'string' ? value.kind : ''
  return /Kptfile"\]$/.test(identityOf(value)) && kind !== 'ConfigMap' ? 'Kptfile' : kind
}

/** The root keys in which two objects differ; a key without a value is one. */
export function differingKeys(a: unknown, b: unknown): readonly string[] {
  const [one, other] = [isRecordOf(a) ? a : {}, isRecordOf(b) ? b : {}]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].filter((key) => Object.hasOwn(one, key) !== Object.hasOwn(other, key) || text(one[key]) !== text(other[key]))
}

/** Keys in any order, and what JSON cannot say distinguished. */
export function text(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint' || typeof member === 'number') return `number ${member}`
    return isRecordOf(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : (member ?? null)
  })
}
