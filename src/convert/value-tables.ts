/** The values that a label of a cluster decides: `env` with `prod` → `3`, `staging` → `1`. */
export interface ValueTable {
  readonly label: string
  /** The value for each value of the label. */
  readonly entries: ReadonlyMap<string, string>
}

/** The labels of a cluster, and its value; undefined if it has none. */
export interface LabeledValue {
  readonly labels: ReadonlyMap<string, string>
  readonly value: string | undefined
}

/** The labels that the path of an overlay shows, the ones that people choose clusters by. */
const DECIDING_LABELS = ['env', 'region'] as const

/** Two clusters with two values follow any rule: only three or more show one. */
const LEAST_CLUSTERS = 3

/** Returns the smallest table by a label that decides different values of all clusters; undefined if no label does. */
export function findTable(clusters: readonly LabeledValue[]): ValueTable | undefined {
  if (clusters.length < LEAST_CLUSTERS || new Set(clusters.map(({ value }) => value)).size < 2) return undefined
  const tables = DECIDING_LABELS.flatMap((label) => tableBy(label, clusters) ?? [])
  return tables.filter(({ entries }) => entries.size < clusters.length).toSorted((a, b) => a.entries.size - b.entries.size)[0]
}

/**
 * Returns the table of the values of clusters by a label; undefined if a cluster has no such label or no value, or if two clusters with one
 * label differ.
 *
 * @param known  the entries of an earlier table: their order is kept, and so are entries that no cluster has yet
 */
export function tableBy(label: string, clusters: readonly LabeledValue[], known?: ValueTable['entries']): ValueTable | undefined {
  const found = new Map<string, string>()
  for (const { labels, value } of clusters) {
    const own = labels.get(label)
    if (own === undefined || value === undefined || !isShown(value) || (found.get(own) ?? value) !== value) return undefined
    found.set(own, value)
  }
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { label, entries: new Map([...(known ?? []), ...sorted]) }
}

/** Returns true for a value of one line, which a comment and an expression show as it is. */
function isShown(value: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(value)
}

/** Returns the expression of a table: `{"prod": "3", "staging": "1"}[repository.labels["env"]]`. */
export function tableExpr({ label, entries }: ValueTable): string {
  const texts = [...entries].map(([own, value]) => `${JSON.stringify(own)}: ${JSON.stringify(value)}`)
  return `{${texts.join(', ')}}[repository.labels[${JSON.stringify(label)}]]`
}

/** Reads an expression as `tableExpr` writes it, with other texts in it; undefined for any other one. */
export function readTableExpr(expr: string): ValueTable | undefined {
  const [, map = '', label = ''] = /^(\{.*\})\[repository\.labels\[(".*")\]\]$/.exec(expr) ?? []
  try {
    const [entries, name]: readonly unknown[] = [JSON.parse(map), JSON.parse(label)]
    if (typeof name !== 'string' || typeof entries !== 'object' || entries === null) return undefined
    const texts = Object.entries(entries).flatMap(([own, value]) => (typeof value === 'string' ? [[own, value] as const] : []))
    return texts.length === Object.keys(entries).length ? { label: name, entries: new Map(texts) } : undefined
  } catch {
    return undefined
  }
}

/** Begins the comment of each table by a label. */
export function tableCommentStart({ label }: ValueTable): string {
  return `# by ${label}: `
}

/** Returns a table as a comment: `# by env: prod: 3, staging: 1`. */
export function tableComment(table: ValueTable): string {
  const shown = (value: string) => (value === '' || /[,"]|: |^ | $/.test(value) ? JSON.stringify(value) : value)
  return tableCommentStart(table) + [...table.entries].map(([own, value]) => `${own}: ${shown(value)}`).join(', ')
}
