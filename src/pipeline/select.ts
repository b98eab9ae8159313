import type { PipelineItem } from './package-tree.ts'
import type { Selector } from './pipeline-steps.ts'

/** An item with all annotations that a function sees, including wire annotations. Selectors compare these. */
export interface SelectableItem {
  readonly item: Pick<PipelineItem, 'object'>
  readonly annotations: ReadonlyMap<string, string>
}

/**
 * Returns true if a function gets an item: one of the selectors matches it, or there are none, and no entry of `exclude` matches it. An
 * empty selector matches every item, an empty entry of `exclude` matches none (docs/kpt-render R24).
 */
export function isSelected(candidate: SelectableItem, selectors: readonly Selector[], exclude: readonly Selector[]): boolean {
  if (selectors.length > 0 && !selectors.some((selector) => isSelectedBy(candidate, selector))) return false
  return !exclude.some((selector) => !isEmpty(selector) && isSelectedBy(candidate, selector))
}

/** Returns true if every field of the selector equals that of the item exactly. */
export function isSelectedBy({ item: { object }, annotations }: SelectableItem, selector: Selector): boolean {
  return (
    (['apiVersion', 'kind', 'name', 'namespace'] as const).every((key) => selector[key] === '' || selector[key] === (object[key] ?? '')) &&
    hasAll(object.labels, selector.labels) &&
    hasAll(annotations, selector.annotations)
  )
}

function hasAll(texts: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): boolean {
  return [...wanted].every(([key, value]) => texts.get(key) === value)
}

function isEmpty({ apiVersion, kind, name, namespace, labels, annotations }: Selector): boolean {
  return `${apiVersion}${kind}${name}${namespace}` === '' && labels.size === 0 && annotations.size === 0
}
