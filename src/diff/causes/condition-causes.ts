import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { upstreamInRings } from '../../fleet/rings.ts'
import type { FieldSource } from '../../fleet/templates/field-sources.ts'
import { equalJson } from '../../json.ts'
import type { Ring, TemplateOverride, Upstream } from '../../kinds/variant-set.ts'
import { fieldChanges } from '../field-changes.ts'
import type { VariantOrigin } from '../fleet-state.ts'
import type { CauseInput, ChangeCause } from '../report.ts'
import { shortChange } from '../short-value.ts'
import { inputOf, partsBetween } from './expression-causes.ts'
import { lineIn, pathOfSteps } from './object-places.ts'

type Origins = readonly [from: VariantOrigin, to: VariantOrigin]

/**
 * Returns what moved a target to a ring with another revision: conditions of rings that changed, and the fields that they read. The rings
 * are judged as one expression, `where of the first ? its name : where of the second ? …`. A new revision of the ring that the target left
 * is a cause too.
 */
export function causesOfRing(origins: Origins): readonly CauseInput[] {
  const [was, is] = origins.map(({ plan }) => plan.set?.rings ?? [])
  const [former, ring] = origins.map(({ change }) => change.why?.place.ring?.name)
  if (was === undefined || is === undefined || former === ring) return []
  const [from, to] = origins
  const [before, after] = [upstreamIn(from, former), upstreamIn(to, ring)]
  const [moved, edited] = [upstreamIn(from, ring), upstreamIn(to, former)]
  if (before?.revision === after?.revision) return []
  const byMove = moved?.revision !== before?.revision || edited?.revision !== after?.revision
  const isEdited = edited !== undefined && edited.revision !== before?.revision
  return [
    ...(byMove ? causesBetween(origins, [choiceOf(was), choiceOf(is)], 'rings') : []),
    ...(isEdited ? [revisionOf(edited, before, former)] : []),
  ]
}

/** Returns the upstream of a variant as a ring of its set has it. */
function upstreamIn({ plan: { set }, change: { why } }: VariantOrigin, ring: string | undefined): Upstream | undefined {
  const index = set?.rings.findIndex(({ name }) => name === ring)
  const { repo, package: name } = why?.place.upstream.upstream ?? {}
  const upstream = set?.upstreams.find((each) => each.repo === repo && each.package === name)
  return set && upstream && index !== undefined ? upstreamInRings(set, upstream)[index] : undefined
}

function revisionOf(upstream: Upstream, before: Upstream | undefined, ring = ''): CauseInput {
  const { object, path } = upstream.revisionAt ?? { object: upstream.object, path: [...upstream.path, 'revision'] }
  const text = `${upstream.package} in ring ${ring}: ${shortChange(before?.revision, upstream.revision)}`
  return { text, ...lineIn(object, path) }
}

/** Returns what gave a field the value of another layer of the template: the conditions of both layers count. */
export function causesOfLayers(
  origins: Origins,
  [old, source]: readonly [old: FieldSource | undefined, source: FieldSource | undefined],
): readonly CauseInput[] {
  const layers = [old?.layer, source?.layer]
  return layers[0] === layers[1] ? [] : layers.flatMap((layer) => causesOfOverride(origins, layer, old))
}

export function withCauseInputs(cause: ChangeCause, inputs: readonly CauseInput[]): ChangeCause {
  return inputs.length === 0 ? cause : { ...cause, inputs: [...(cause.inputs ?? []), ...inputs] }
}

/**
 * Returns what made an override of a matrix hold for a target in one state alone, if its template gives a field. An override that a state
 * does not have holds nowhere.
 */
function causesOfOverride(origins: Origins, layer: string | undefined, old: FieldSource | undefined): readonly CauseInput[] {
  const [was, is] = origins.map(({ plan }) => plan.set?.overrides.filter(({ name }) => `override ${name}` === layer) ?? [])
  if (was === undefined || is === undefined) return []
  const found = causesBetween(origins, [choiceOf(was), choiceOf(is)], is.length === 0 ? undefined : 'overrides')
  // The override, or what it said of the field, is gone.
  const [at, rest] = [was[0]?.path, old?.path.slice(3) ?? []]
  const isOwn = old !== undefined && at !== undefined && equalJson(old.path.slice(0, 3), at)
  const isThere = is[0] !== undefined && origins[1].plan.object.get([...is[0].path, ...rest]) !== undefined
  if (!isOwn || isThere || (is[0] !== undefined && found.length > 0)) return found
  return [...found, { text: `${formatFieldPath(old.path)} of ${layer ?? ''} is gone`, ...lineIn(old.object, old.path) }]
}

/** The most conditions in one nest of choices: CEL ends at 250 parentheses, of which a condition has some of its own. */
const MOST_NESTED = 50

type Entry = Pick<Ring | TemplateOverride, 'name' | 'where'>

/**
 * Returns an expression that gives the name of the first entry whose condition holds; '' if none does. Of many entries, it first asks if a
 * condition of the first ones holds: `(a || b) ? (a ? … : (b ? … : "")) : (c ? …)`.
 */
function choiceOf(entries: readonly Entry[]): string {
  const [first, others] = [entries.slice(0, MOST_NESTED), entries.slice(MOST_NESTED)]
  if (others.length === 0 || first.some(({ where }) => where === undefined)) return nestedChoice(first)
  const holds = first.map(({ where }) => `(${where?.text ?? ''}\n)`).join(' || ')
  return `(${holds}) ? (${nestedChoice(first)}) : (${choiceOf(others)})`
}

function nestedChoice(entries: readonly Entry[]): string {
  // A line break ends a comment at the end of a condition, which would hide the parenthesis.
  const otherwise = (others: string, { name, where }: Entry) =>
    where === undefined ? JSON.stringify(name) : `(${where.text}\n) ? ${JSON.stringify(name)} : (${others})`
  return entries.reduceRight(otherwise, '""')
}

function causesBetween(
  [from, to]: Origins,
  [old, present]: readonly [string, string],
  list?: 'rings' | 'overrides',
): readonly CauseInput[] {
  const [was, is] = [from.explain(old), to.explain(present)]
  if (was === undefined || is === undefined) return []
  const { texts, reads } = partsBetween(was, is, 'changed', [{ before: old, after: present }])
  return [...(list && texts.length > 0 ? changedConditions([from, to], ['spec', list]) : []), ...reads.map(inputOf)]
}

/** Returns the conditions in a list that differ, each with its line; one that is gone has its line in FROM. */
function changedConditions([from, to]: Origins, path: FieldPath): readonly CauseInput[] {
  const [old, present] = [from, to].map(({ plan }) => ({ list: plan.object.get(path) ?? [] }))
  if (old === undefined || present === undefined) return []
  return fieldChanges(old, present).flatMap(({ path: field, steps, before, after }) => {
    const [, , key] = steps
    if (key !== undefined && key !== 'where') return []
    const { object } = (after === undefined ? from : to).plan
    const text = `${path.join('.')}${field.slice('list'.length)}: ${shortChange(before, after)}`
    return [{ text, ...lineIn(object, pathOfSteps(object, [...path, ...steps.slice(1)])) }]
  })
}
