import { statSync } from 'node:fs'
import type { Scope } from '../../src/cel/program.ts'
import { prepareVariables, type Variables } from '../../src/cel/variables.ts'
import { type FieldPath, formatFieldPath } from '../../src/field-path.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type TemplateContext, variablesFor } from '../../src/fleet/templates/render-variant.ts'
import type { RenderedVariant } from '../../src/fleet/templates/rendered-variant.ts'
import { SCOPE } from '../../src/fleet/templates/template-programs.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import { readBoundedFile } from '../../src/folder/bounded-file.ts'
import { type JsonRecord, lookup } from '../../src/json.ts'
import { printable } from '../../src/printable.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { utf8Text } from '../../src/resource-list/utf8-text.ts'
import { FunctionError, formatResourceRef, hasErrors } from '../../src/result.ts'
import { distanceWithin } from '../../src/schema/nearest-name.ts'
import { nameFirst } from '../../src/wording.ts'
import { openFleet } from '../fleet/fleet-reading.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'

/** A place that a target asks for, by what the variables repoDefault and packageDefault are there, and all variables. */
interface TargetPlace {
  readonly repo: string
  readonly package: string
  /** The set and the field that gives it. */
  readonly description: string
  readonly variables: Variables
  readonly types: Scope
  /** The reason why a variable has no value in this place, by the variable. */
  readonly absent: ReadonlyMap<string, string>
}

/** The variables that an expression may name, and the values of those that have one. */
export interface CelVariables {
  readonly names: readonly string[]
  /** The types of the variables of a target; without them the names say the types. */
  readonly types?: Scope
  readonly variables: Variables
  readonly source: 'nowhere' | 'file' | 'target'
  /** The reason why a variable of the target has no value, by the variable. */
  readonly absent?: ReadonlyMap<string, string>
}

interface Asked {
  readonly vars?: string
  readonly target?: string
  readonly dir: string
}

const NAMED_TARGETS = 10
/** Targets that differ more are as unlikely as those that differ still more. */
const FARTHEST = 253

/** Returns the variables of a file or of a target; none if neither is named. Throws UsageError when the target does not exist. */
export async function variablesAsked({ vars, target, dir }: Asked, host: Host): Promise<CelVariables> {
  if (target !== undefined) return targetVariables(target, dir, host)
  return vars === undefined ? { ...namedVariables({}), source: 'nowhere' } : { ...(await fileVariables(vars, host)), source: 'file' }
}

/** Variables with names of their own are known besides those of a template. */
export function namedVariables(values: JsonRecord): Pick<CelVariables, 'names' | 'variables'> {
  return { names: [...new Set([...SCOPE, ...Object.keys(values)])], variables: prepareVariables(new Map(Object.entries(values))) }
}

async function fileVariables(file: string, host: Host): Promise<Pick<CelVariables, 'names' | 'variables'>> {
  const text = file === '-' ? await host.read() : readText(file, host)
  const name = file === '-' ? 'stdin' : file
  const values = KrmObject.fromDocument(text, { path: name, index: 0, line: 1 })
  if (!values.isMap())
    throw new UsageError(`'${name}' must hold a map of variables, ${text.trim() === '' ? 'and is empty' : 'got something else'}`)
  return namedVariables(values.toJson())
}

function readText(file: string, host: Host): string {
  const place = host.locate(file)
  if (statSync(place, { throwIfNoEntry: false }) === undefined)
    throw new UsageError(`no file '${file}' to read${file.startsWith('{') ? '; --vars takes a file, or - for stdin' : ''}`)
  return utf8Text(readBoundedFile(place, `'${file}'`))
}

/** @throws UsageError when no target is at this place, or more than one */
async function targetVariables(target: string, dir: string, host: Host): Promise<CelVariables> {
  const fleet = await openFleet(dir, {}, host)
  const { list, results } = fleet.read
  if (hasErrors(results)) throw new FunctionError(results)
  const places = targetPlaces(await fleet.plan())
  const [place, ...others] = places.filter((each) => nameOf(each) === target)
  if (place === undefined) throw noTarget(target, places, list)
  if (others.length > 0)
    throw new UsageError(
      `several targets are '${target}':\n${[place, ...others].map(({ description }) => `  ${printable(description)}`).join('\n')}`,
    )
  const names = place.variables.has('inputs') ? [...SCOPE, 'inputs'] : SCOPE
  return { names, types: place.types, variables: place.variables, source: 'target', absent: place.absent }
}

function nameOf(place: TargetPlace): string {
  return `${place.repo}/${place.package}`
}

/** Returns the error for an unknown target, which names the known targets, the nearest first. */
function noTarget(target: string, places: readonly TargetPlace[], { items }: ResourceList): UsageError {
  const names = [...new Set(places.map(nameOf))]
  if (names.length === 0) return new UsageError(`no target '${target}'; read ${describeRead(items)}`)
  const ranked = names
    .map((name) => ({ name, distance: distanceWithin(target, name, FARTHEST) ?? FARTHEST + 1 }))
    .sort((a, b) => a.distance - b.distance)
  const nearest = ranked.map(({ name }) => name)
  return new UsageError(`no target '${target}'; the targets are ${nameFirst(nearest, NAMED_TARGETS)}, the nearest first`)
}

/** Returns every place of every set, in their order. Sets with faults have none. */
function targetPlaces({ sets }: FleetPlan): readonly TargetPlace[] {
  return sets.flatMap(({ object, draft }) => {
    if (draft === undefined) return []
    return draft.rendered.map((variant) => ({
      repo: variant.place.repoDefault,
      package: variant.place.packageDefault,
      description: describe(formatResourceRef(object.ref), variant.place.path),
      variables: variablesFor(variant, draft.context),
      types: draft.context.scope.others,
      absent: absentFrom(variant, draft.context),
    }))
  })
}

/** Returns the reasons why objects that expressions see are not known in the place of a variant. */
function absentFrom({ place: { upstream }, repo }: RenderedVariant, { repositories }: TemplateContext): ReadonlyMap<string, string> {
  const reasons: (readonly [string, string])[] = []
  if (!repositories.has(repo)) reasons.push(['repository', `no Repository '${repo}' was read in the namespace of the set`])
  if (upstream.revision === undefined)
    reasons.push(['upstream', `no PackageRevision of ${describeUpstream(upstream.fields)} was read in the namespace of the set`])
  return new Map(reasons)
}

function describeUpstream(fields: JsonRecord): string {
  const [repo, name, revision] = ['repo', 'package', 'revision'].map((key) => lookup(fields, key))
  return `${repo}/${name}${revision === undefined ? '' : `@${revision}`}`
}

function describe(set: string, path: FieldPath): string {
  return `${set}, ${formatFieldPath(path)}`
}
