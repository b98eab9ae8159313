import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { packageDefaultField } from '../../fleet/targets/unrolled-target.ts'
import { equalJson } from '../../json.ts'
import type { Computed } from '../../kinds/template.ts'
import type { TemplateOverride } from '../../kinds/variant-set.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { VariantOrigin } from '../fleet-state.ts'
import type { CauseInput, ChangeCause } from '../report.ts'
import { shortChange } from '../short-value.ts'
import { inputOf, partsBetween, type TextPart, textOfExpressions, type ValueFate } from './expression-causes.ts'
import { lineIn } from './object-places.ts'

type NameField = 'repo' | 'package'

/**
 * Returns the causes of another downstream of the same target: what gave the repository or the package another name. All layers of the
 * template are judged as one expression, `(where of an override) ? (its name) : name below`.
 *
 * @param fate  `gained` for the package that only TO has, `lost` for the one that only FROM has
 */
export function causesOfNames(from: VariantOrigin, to: VariantOrigin, fate: ValueFate): readonly ChangeCause[] {
  return [...causesOfName('repo', [from, to], fate), ...causesOfName('package', [from, to], fate)]
}

function causesOfName(field: NameField, [from, to]: readonly [VariantOrigin, VariantOrigin], fate: ValueFate): readonly ChangeCause[] {
  const [before = '', after = ''] = [from.change.why?.[field], to.change.why?.[field]]
  const path = ['spec', 'downstream', field]
  const source = before === after ? undefined : to.sourceOf(path, after)
  if (source === undefined) return []
  const written = partsOfName(layersOfName(field, from), layersOfName(field, to))
  const [was, is] = [from.explain(written.map((part) => part.before).join('')), to.explain(written.map((part) => part.after).join(''))]
  const { texts, reads } = was && is ? partsBetween(was, is, fate, written) : { texts: [], reads: [] }
  // The default of a repository is the name of the target, and its layer has the path of the selector.
  const isHead = (part: NamePart) => (source.type === 'default' ? part === written.at(-1) : equalJson(part.path, source.path))
  const inputs = [...texts.filter((part) => !isHead(part)).map(inputOfPart), ...reads.map(inputOf)]
  const prefix = `its ${field === 'repo' ? 'repository' : 'package'} gets another name: `
  const place = { ...lineIn(source.object, source.path), ...(inputs.length > 0 && { inputs }) }
  if (source.type !== 'expression') return [{ kind: 'target', text: `${prefix}${shortChange(before, after)}`, ...place }]
  const expression = textOfExpressions(source)
  const old = texts.some(isHead) ? from.sourceOf(path, before) : undefined
  const shown = old?.type === 'expression' ? `${textOfExpressions(old)} → ${expression}` : expression
  return [{ kind: 'expression', text: `${prefix}expression ${shown}`, expression, ...place }]
}

/** A layer of a template that names the repository or the package of a variant where the layer holds. */
interface NameLayer {
  /** Undefined for the template below all overrides. */
  readonly override?: TemplateOverride
  readonly name: string
  readonly object: KrmObject
  readonly path: FieldPath
}

/** A part of the expression that gives a name, with its field in TO; in FROM if TO does not have the part. */
interface NamePart extends TextPart {
  readonly object: KrmObject
  readonly path: FieldPath
}

/** Returns the layers of a set that name the repository or the package of a variant, the uppermost first. */
function layersOfName(field: NameField, { plan: { set }, change: { why } }: VariantOrigin): readonly NameLayer[] {
  if (set === undefined || why === undefined) return []
  const { upstream, template, path, repoDefault, packageDefault } = why.place
  const layerOf = (computed: Computed): NameLayer => {
    if ('value' in computed) return { name: JSON.stringify(computed.value), object: set.object, path: computed.path }
    return { name: computed.expression.text, object: set.object, path: computed.expression.path }
  }
  const overrides = set.overrides.flatMap((override) => {
    const isMeant = override.packages.size === 0 || override.packages.has(upstream.upstream.package)
    const computed = override.template.downstream[field]
    return computed === undefined || !isMeant ? [] : [{ ...layerOf(computed), override }]
  })
  const below = template?.layers.flatMap((layer) => (layer.isOverride === true ? [] : (layer.template.downstream[field] ?? []))) ?? []
  const byDefault = field === 'repo' ? { value: repoDefault, path } : { value: packageDefault, path: packageDefaultField(why.place, set) }
  return [...overrides.toReversed(), layerOf(below.at(-1) ?? byDefault)]
}

/** Returns the parts of the expression that gives a name: `(where) ? `, `(name) : ` of each override, and the name below all overrides. */
function partsOfName(before: readonly NameLayer[], after: readonly NameLayer[]): readonly NamePart[] {
  const keyOf = ({ override }: NameLayer) => override?.name ?? ''
  const keys = [...new Set([...after, ...before].map(keyOf))].sort((a, b) => Number(a === '') - Number(b === ''))
  return keys.flatMap((key): readonly NamePart[] => {
    const [was, is] = [before, after].map((layers) => layers.find((layer) => keyOf(layer) === key))
    const layer = is ?? was
    if (layer === undefined) return []
    const { object, path, override } = layer
    const partOf = (textOf: (each: NameLayer) => string, at = path): NamePart => ({
      ...{ before: was ? textOf(was) : '', after: is ? textOf(is) : '' },
      ...{ object, path: at },
    })
    if (override === undefined) return [partOf(({ name }) => name)]
    // An override that only one state has is one part.
    if (was === undefined || is === undefined) return [partOf((each) => conditionOf(each) + nameOf(each))]
    return [partOf(conditionOf, override.where ? [...override.path, 'where'] : override.path), partOf(nameOf)]
  })
}

// A line break ends a comment at the end of an expression, which would hide the parenthesis.
function conditionOf({ override }: NameLayer): string {
  return `(${override?.where?.text ?? 'true'}\n) ? `
}

function nameOf({ name }: NameLayer): string {
  return `(${name}\n) : `
}

function inputOfPart({ before, after, object, path }: NamePart): CauseInput {
  const fate = before === '' ? 'is new' : after === '' ? 'is gone' : 'changed'
  return { text: `${formatFieldPath(path)} ${fate}`, ...lineIn(object, path) }
}
