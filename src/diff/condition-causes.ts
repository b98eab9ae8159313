import type { FieldPath } from '../field-path.ts'
import type { Ring, TemplateOverride } from '../kinds/variant-set.ts'
import { inputOf, partsBetween } from './expression-causes.ts'
import { fieldChanges } from './field-changes.ts'
import type { VariantOrigin } from './fleet-state.ts'
import { lineIn, pathOfSteps } from './object-places.ts'
import type { CauseInput } from './report.ts'
import { shortChange } from './short-value.ts'

type Origins = readonly [from: VariantOrigin, to: VariantOrigin]

/**
 * Returns what moved a target to another ring: conditions of rings that changed, and the fields that they read. The rings are judged as one
 * expression, `where of the first ? its name : where of the second ? …`.
 */
export function causesOfRing(origins: Origins): readonly CauseInput[] {
  const [was, is] = origins.map(({ plan }) => plan.set?.rings ?? [])
  return was === undefined || is === undefined ? [] : causesBetween(origins, [choiceOf(was), choiceOf(is)], 'rings')
}

/** Returns what made an override of a matrix hold for a target in one state alone, if its template gives a field. */
export function causesOfOverride(origins: Origins, layer: string | undefined): readonly CauseInput[] {
  const [was, is] = origins.map(({ plan }) => plan.set?.overrides.filter(({ name }) => `override ${name}` === layer) ?? [])
  if (was === undefined || is === undefined || was.length === 0 || is.length === 0) return []
  return causesBetween(origins, [choiceOf(was), choiceOf(is)], 'overrides')
}

/** Returns an expression that gives the name of the first entry whose condition holds; '' if none does. */
function choiceOf(entries: readonly Pick<Ring | TemplateOverride, 'name' | 'where'>[]): string {
  const otherwise = (others: string, { name, where }: Pick<Ring, 'name' | 'where'>) =>
    where === undefined ? JSON.stringify(name) : `(${where.text}) ? ${JSON.stringify(name)} : (${others})`
  return entries.reduceRight(otherwise, '""')
}

function causesBetween([from, to]: Origins, [old, present]: readonly [string, string], list: 'rings' | 'overrides'): readonly CauseInput[] {
  const [was, is] = [from.explain(old), to.explain(present)]
  if (was === undefined || is === undefined) return []
  const { byText, reads } = partsBetween(was, is, 'changed')
  return [...(byText ? changedConditions([from, to], ['spec', list]) : []), ...reads.map(inputOf)]
}

/** Returns the conditions in a list that differ, each with its line; one that is gone has its line in FROM. */
function changedConditions([from, to]: Origins, path: FieldPath): readonly CauseInput[] {
  const [old, present] = [from, to].map(({ plan }) => ({ list: plan.object.get(path) ?? [] }))
  if (old === undefined || present === undefined) return []
  return fieldChanges(old, present).flatMap(({ path: field, steps, before, after }) => {
    const [, , key] = steps
    if (key !== undefined && key !== 'where' && key !== 'name') return []
    const { object } = (after === undefined ? from : to).plan
    const text = `${path.join('.')}${field.slice('list'.length)}: ${shortChange(before, after)}`
    return [{ text, ...lineIn(object, pathOfSteps(object, [...path, ...steps.slice(1)])) }]
  })
}
