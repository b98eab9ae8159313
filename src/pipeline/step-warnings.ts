import { markedFields } from '../catalog/setter-comments.ts'
import { setterNames } from '../catalog/setter-pattern.ts'
import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { asRecord, lookup } from '../json.ts'
import { fieldPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { didYouMean, nearestName } from '../schema/nearest-name.ts'
import type { FunctionInput } from './function-input.ts'
import type { PipelineItem } from './package-tree.ts'
import type { PipelineStep, Selector } from './pipeline-steps.ts'
import { isSelectedBy } from './select.ts'

/**
 * Returns a warning for each selector of a function that selects nothing by a misspelt kind or name: no resource has the kind or the name,
 * and one has a near one. As in kpt, the function runs without these resources.
 *
 * @param items  the resources that the function could get
 */
export function selectorWarnings(step: PipelineStep, items: readonly PipelineItem[]): readonly Result[] {
  return (['selectors', 'exclude'] as const).flatMap((list) =>
    step[list].flatMap((selector, index) => {
      if (selector.kind === '' && selector.name === '') return []
      if (items.some((item) => isSelectedBy({ item, annotations: item.object.annotations }, selector))) return []
      return misspeltField(
        selector,
        items.map(({ object }) => object),
      ).map(({ key, near }) => warning(step, [...step.field, list, index, key], { written: selector[key], near }))
    }),
  )
}

/** Returns the first field of a selector that no object has, with the nearest text that one has; none if no text is near. */
function misspeltField(
  selector: Selector,
  objects: readonly KrmObject[],
): readonly { readonly key: 'kind' | 'name'; readonly near: string }[] {
  const ofKind = objects.filter(({ kind }) => selector.kind === '' || kind === selector.kind)
  const [key, known] = ofKind.length === 0 ? (['kind', textsOf(objects, 'kind')] as const) : (['name', textsOf(ofKind, 'name')] as const)
  if (selector[key] === '' || known.includes(selector[key])) return []
  const near = nearestName(selector[key], known)
  return near === undefined || isOther(selector[key], near) ? [] : [{ key, near }]
}

/** Returns true for a near text that is another one on purpose: `Service` and `ServiceAccount`, `till-1` and `till-2`. */
function isOther(written: string, near: string): boolean {
  return (near.startsWith(written) && near.length > written.length + 2) || written.replaceAll(/\d+/g, '0') === near.replaceAll(/\d+/g, '0')
}

function textsOf(objects: readonly KrmObject[], key: 'kind' | 'name'): readonly string[] {
  return [...new Set(objects.flatMap((object) => object[key] ?? []))]
}

function warning(
  { kptfile }: PipelineStep,
  path: FieldPath,
  { written, near }: { readonly written: string; readonly near: string },
): Result {
  return {
    severity: 'warning',
    message: `\`${formatFieldPath(path)}\` must be that of a resource, no resource of the package has ${quoteText(written)}; did you mean ${quoteText(near)}?`,
    ...fieldPlace(kptfile, path),
    tags: { rule: 'selector-unmatched' },
  }
}

/**
 * Returns a warning for each setter that a function apply-setters gets and no field names in its comment: most likely the name is misspelt.
 * The function itself says nothing, or reports an info.
 *
 * @example  `configMap: {replicaCount: "3"}` and one field `replicas: 1 # kpt-set: ${replicas}`
 */
export function setterWarnings(
  step: PipelineStep,
  input: Pick<FunctionInput, 'config'> & { readonly selected: readonly Pick<PipelineItem, 'object'>[] },
): readonly Result[] {
  if (!/(?:^|\/)apply-setters(?:[:@]|$)/.test(step.image) || input.selected.length === 0) return []
  const config = input.config()
  const missing = new Set(Object.keys(asRecord(lookup(asRecord(config), 'data'))))
  const known = new Set<string>()
  for (const { object } of input.selected) {
    if (missing.size === 0) return []
    for (const name of namesIn(object)) {
      missing.delete(name)
      known.add(name)
    }
  }
  return Array.from(missing, (name) => unmatchedSetter(step, name, [...known]))
}

/** Returns the names of the setters that comments of an object have. */
function namesIn(object: KrmObject): readonly string[] {
  return object.mayHold('kpt-set') ? markedFields(object).flatMap(({ pattern }) => setterNames(pattern)) : []
}

function unmatchedSetter({ kptfile, field, configMap, configPath }: PipelineStep, name: string, known: readonly string[]): Result {
  const place = configMap.has(name) ? '' : ` of ${quoteText(configPath)}`
  const message = `has the setter ${quoteText(name)}${place}, which no resource of the function has in a comment \`# kpt-set:\`${didYouMean(name, known)}`
  const path = configMap.has(name) ? [...field, 'configMap', name] : field
  return faultToResult(kptfile, { severity: 'warning', rule: 'setter-unmatched', path, message })
}
