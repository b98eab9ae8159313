import { groupBy } from '../group-by.ts'
import type { JsonRecord } from '../json.ts'
import { identityOfObject } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { keyOfIdentity } from '../resource-list/object-index.ts'
import { formatResourceRef, type ResourceRef } from '../result.ts'
import { type Finding, formatPlace } from './finding.ts'
import type { Install, Package, PackageIndex } from './package-index.ts'
import type { Plan, Step } from './plan/plan.ts'
import type { Readings } from './read-objects.ts'
import type { ObjectEdit, Writer } from './reading/ecosystem.ts'
import { placeIn } from './reading/field.ts'

/** The edits of a plan, or the findings that keep the plan from being written: with findings there are no edits. */
export interface WrittenPlan {
  readonly edits: readonly ObjectEdit[]
  readonly findings: readonly Finding[]
}

/** Returns the edits of a plan without failures; findings and no edits if a step cannot be written or a new object's name is taken. */
export function writePlan({ steps }: Plan, { all }: Readings, objects: readonly KrmObject[]): WrittenPlan {
  const readings = new Map(all.map((reading) => [reading.ecosystem, reading]))
  const nameFor = ({ ecosystem, package: pkg, version, name }: Step): string =>
    readings.get(ecosystem)?.index?.objectName(pkg, version) ?? name
  const byEcosystem = groupBy(finalSteps(steps, nameFor), ({ ecosystem }) => ecosystem)
  const written = [...byEcosystem].flatMap(([ecosystem, own]) => {
    const { index, controller } = readings.get(ecosystem) ?? {}
    return index === undefined || controller === undefined ? [] : own.map((step) => write(step, controller.writer, index))
  })
  const findings = [...written.flatMap((each) => each.findings), ...collisions(written, objects)]
  return { edits: findings.length > 0 ? [] : written.flatMap(({ edits }) => edits), findings }
}

interface WrittenStep extends WrittenPlan {
  readonly step: Step
}

function write(step: Step, writer: Writer, index: PackageIndex): WrittenStep {
  if (step.op === 'create') return writeNew(step, writer, index)
  const object = step.install?.object
  if (object === undefined) return { step, edits: [], findings: [] }
  const edit: ObjectEdit = step.op === 'remove' ? { type: 'remove', object } : { type: 'set', object, fields: writer.update(step) }
  return { step, edits: [edit], findings: [] }
}

function writeNew(step: Step, writer: Writer, index: PackageIndex): WrittenStep {
  const near = rootObject(step, index)
  const written = writer.create(step, near)
  if ('object' in written) return { step, edits: [{ type: 'add', object: written.object, near }], findings: [] }
  return { step, edits: [], findings: fault(step, 'unresolvable', `cannot be installed: ${written.fault}`) }
}

/** Returns the object of the package of the same ecosystem that a new object is made for, directly or through other new objects. */
export function rootObject({ parents: [parent] }: Step, index: PackageIndex): KrmObject | undefined {
  if (parent?.step !== undefined) return rootObject(parent.step, index)
  const install = parent?.dependent?.install
  return install !== undefined && index.owns(install.package) ? install.object : undefined
}

function fault({ package: pkg, version, parents: [parent], ecosystem }: Step, rule: Finding['rule'], words: string): Finding[] {
  if (parent === undefined) return []
  const { place } = parent.requirement
  const message = `${pkg.name} ${version}, which ${parent.name} requires (${formatPlace(place)}), ${words}`
  return [{ rule, message, place, tags: { ecosystem, package: parent.name, dependency: pkg.id } }]
}

/** Reports new objects whose name an existing or another new object has. */
function collisions(written: readonly WrittenStep[], objects: readonly KrmObject[]): Finding[] {
  const removed = new Set(written.flatMap(({ edits }) => edits.flatMap((edit) => (edit.type === 'remove' ? [edit.object] : []))))
  const added = written.flatMap(({ step, edits }) =>
    edits.flatMap((edit) => (edit.type === 'add' ? [{ step, ref: refOf(edit.object) }] : [])),
  )
  if (added.length === 0) return []
  const kinds = new Set(added.map(({ ref }) => ref.kind))
  const taken = new Map<string, () => string>()
  for (const object of objects.filter(({ kind = '' }) => kinds.has(kind))) {
    if (!removed.has(object))
      taken.set(identityOfObject(object.ref), () => `there already (${formatPlace(placeIn(object, ['metadata', 'name']))})`)
  }
  return added.flatMap(({ step, ref }) => {
    const key = identityOfObject(ref)
    const other = taken.get(key)
    taken.set(key, () => `the name of what installs ${step.package.name}`)
    if (other === undefined) return []
    return fault(step, 'generated-name-collision', `would be installed as ${formatResourceRef(ref)}, and that is ${other()}`)
  })
}

export function refOf(object: JsonRecord): ResourceRef {
  const { namespace, ...named } = keyOfIdentity(object)
  return { ...named, ...(namespace !== '' && { namespace }) }
}

/**
 * Merges the steps of each object into one: an operator may install a version and move it later. Create 1.0.0 and update to 1.1.0 become
 * create 1.1.0; two updates become the last one; an update that changes neither version nor owner is dropped.
 *
 * @param nameFor  returns the name of the object that installs the version of a step
 */
function finalSteps(steps: readonly Step[], nameFor: (step: Step) => string): Step[] {
  const last = new Map<Install | Package, Step>()
  for (const step of steps) {
    const key = step.install ?? step.package
    const before = last.get(key)
    const moved = before?.op === 'create' && step.op === 'update' ? { ...before, version: step.version } : undefined
    last.set(key, moved === undefined ? step : { ...moved, name: nameFor(moved) })
  }
  const isChange = ({ op, install, version, owner }: Step) => op !== 'update' || version !== install?.text || owner !== install.owner
  return [...last.values()].filter(isChange)
}
