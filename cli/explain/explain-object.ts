import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { editedSetters } from '../../src/diff/causes/edited-setters.ts'
import { ValueOrigins } from '../../src/diff/causes/value-origins.ts'
import type { PackageStep } from '../../src/diff/fleet-state.ts'
import { readPackageOfFleet } from '../../src/fleet/read-fleet-folder.ts'
import { below, type NamedFolder } from '../../src/folder/named-folder.ts'
import { once } from '../../src/remember.ts'
import { repositoryOf } from '../../src/render/disk/disk-places.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { collectFaults, type Result } from '../../src/result.ts'
import { namespacedName } from '../../src/variant/find-variant.ts'
import { readPresent } from '../diff/read-states.ts'
import { clusterTest } from '../fleet/cluster-option.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import { openFleet } from '../fleet/fleet-reading.ts'
import { packageGapsBelow } from '../fleet/packages-outside.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import type { Host } from '../host.ts'
import { type ExplainAnswer, explainedObjectText } from './explain-text.ts'
import { describeObject, explainChange, type PlacedObject } from './explanation.ts'
import { askedSteps, type Explaining, explainValue, type ObjectExplanation } from './object-explanation.ts'
import { objectOfName } from './object-of-name.ts'

/**
 * Explains an object that a cluster gets, KIND/NAME or KIND/NAMESPACE/NAME, and its fields that are not those of the upstream package; with
 * `.FIELD` this field alone.
 *
 * @throws UsageError when no object, or the objects of several packages, have the name; FunctionError with the faults of the fleet
 */
export async function explainObject(name: string, dir: string, options: FleetChoices, host: Host): Promise<ExplainAnswer> {
  const fleet = await openFleet(dir, options, host, 'spare')
  const state = await readPresent(fleet, { ...options, offline: true, run: true }, host)
  const origins = new ValueOrigins(state)
  const isAsked = clusterTest(state.items, options) ?? (() => true)
  const steps = state.plan.steps.filter(({ folder }) => isAsked(repositoryOf(folder)))
  const objects = steps.flatMap((step) => (origins.objectsOf(step) ?? []).map((object) => ({ step, object })))
  const { step, object, field } = objectOfName(name, objects)
  const unread: Result[] = []
  const folder = fleet.out && below(fleet.out, step.folder)
  const items = folder === undefined ? [] : committedItems(folder, unread)
  const own = objectLike(object, items)
  const setters = settersIn(items, folder, step, origins)
  const shown = own ?? object
  const asked = askedSteps(shown, object, field, () => origins.originOf(step, object, []).upstream?.object)
  const change = state.sets
    .flatMap((set) => set.changes.map((each) => ({ set, each })))
    .find(({ each }) => `${each.namespace}/${each.name}` === namespacedName(step.variant.object) && each.op !== 'remove')
  const explained = change && explainChange(change.each, change.set)
  const { upstream } = step.variant
  const source = `${upstream.repo}/${upstream.package}${upstream.revision === undefined ? '' : `@v${upstream.revision}`}`
  const view: ObjectExplanation = {
    rendered: describeRendered(shown, own !== undefined),
    package: step.folder,
    cluster: repositoryOf(step.folder),
    variant: namespacedName(step.variant.object),
    ...(explained?.set && { set: explained.set }),
    ...(explained?.target && { target: explained.target }),
    ...(explained && { reason: explained.reason }),
    fields: asked.map((each) => explainValue(each, { step, object, own, setters, origins, source, fields: explained?.fields ?? [] })),
  }
  return { view, text: (styles) => explainedObjectText(view, styles), results: [...findPlaceFaults(fleet, await fleet.plan()), ...unread] }
}

/**
 * Returns the objects of a package on disk; none if the package is not there.
 *
 * @param unread  gets the errors of files that cannot be read or are not checked out: they may have edits of an object
 */
function committedItems(folder: NamedFolder, unread: Result[]): readonly KrmObject[] {
  unread.push(...packageGapsBelow(folder))
  if (!existsSync(folder.disk)) return []
  return collectFaults<readonly KrmObject[]>(unread, () => readPackageOfFleet(folder).list.items) ?? []
}

/** Returns a function that returns the lines of the setters that people edited in a package and that give a field its value. */
function settersIn(
  items: readonly KrmObject[],
  folder: NamedFolder | undefined,
  step: PackageStep,
  origins: ValueOrigins,
): Explaining['setters'] {
  const place = folder?.shown ?? ''
  const pathOf = ({ file }: KrmObject) => posix.relative(place, file?.path ?? '')
  const after = { paths: items.map(pathOf), objectsAt: (path: string) => items.filter((item) => pathOf(item) === path) }
  const before = once(() => origins.textOf(step))
  return (object, path) => editedSetters(object, path, { before: before(), after, place })
}

function objectLike({ apiVersion, kind, namespace, name }: KrmObject, items: readonly KrmObject[]): KrmObject | undefined {
  return items
    .flatMap(appliedObjects)
    .find((each) => each.apiVersion === apiVersion && each.kind === kind && each.namespace === namespace && each.name === name)
}

/** Returns an object as explanations name it. One that is only in memory has no place. */
function describeRendered(object: KrmObject, isOnDisk: boolean): PlacedObject {
  const { place, ...named } = describeObject(object)
  return isOnDisk && place !== undefined ? { ...named, place } : named
}
