import type { PageVariant } from './page-data.ts'

/** The filter of the list; an empty text matches every variant. */
export interface Filter {
  readonly text: string
  readonly cluster: string
  readonly label: string
  readonly op: string
}

/** Finds variants. The text to search of each variant is built once. */
export function variantFinder(variants: readonly PageVariant[]): (filter: Filter) => readonly PageVariant[] {
  const texts = variants.map(searchText)
  return ({ text, cluster, label, op }) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    return variants.filter(
      (variant, index) =>
        (op === '' || variant.op === op) &&
        (cluster === '' || variant.cluster === cluster) &&
        (label === '' || hasLabel(variant, label)) &&
        words.every((word) => texts[index]?.includes(word)),
    )
  }
}

function searchText({ name, namespace, oldName = '', set = '', object = '', ring = '', cluster, reason, labels, op }: PageVariant): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  return [namespace, name, oldName, set, object, ring, cluster, op, reason, ...pairs].join('\n').toLowerCase()
}

function hasLabel({ labels }: PageVariant, label: string): boolean {
  const at = label.indexOf('=')
  return labels[label.slice(0, at)] === label.slice(at + 1)
}

const MOST_VALUES = 40

/** Returns the labels to choose from, `key=value`, with their numbers of variants. Keys with very many values are left to the search. */
export function labelChoices(variants: readonly PageVariant[]): readonly { readonly label: string; readonly count: number }[] {
  const counts = new Map<string, Map<string, number>>()
  for (const { labels } of variants)
    for (const [key, value] of Object.entries(labels)) {
      const values = counts.get(key) ?? new Map<string, number>()
      counts.set(key, values.set(value, (values.get(value) ?? 0) + 1))
    }
  return [...counts].sort().flatMap(([key, values]) => {
    if (values.size > MOST_VALUES) return []
    return [...values].sort().map(([value, count]) => ({ label: `${key}=${value}`, count }))
  })
}
