import { parse } from 'yaml'
import { checkDependencies } from '../../../functions/check-dependencies/check-dependencies.ts'
import { resolveDependencies, type Simulation, simulateAsConfigured } from '../../../functions/resolve-dependencies/resolve-dependencies.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import { ResourceList } from '../../../src/resource-list/resource-list.ts'
import { evaluate, type KrmFunction } from '../../../src/run.ts'
import { type Item, printResourceList } from '../wire.ts'

/** One result of a run, as the wire has it. */
export interface WireResult {
  readonly severity: string
  readonly message: string
  readonly resourceRef?: { readonly kind: string; readonly name: string }
  readonly field?: { readonly proposedValue?: JsonValue }
  readonly tags: Readonly<Record<string, string>>
}

/** The output of a function: the items, the results, and its exit code. */
export interface Printed {
  readonly items: readonly JsonRecord[]
  readonly results: readonly WireResult[]
  readonly exitCode: number
  readonly stderr: string
}

/** The results of check-dependencies on some objects, in a closed universe. */
export function check(objects: readonly object[], spec: object = {}): readonly WireResult[] {
  return run(checkDependencies, 'CheckDependencies', objects, spec).results
}

/** Returns what resolve-dependencies prints for some objects, in a closed universe. */
export function resolve(objects: readonly object[], spec: object = {}): Printed {
  return run(resolveDependencies, 'ResolveDependencies', objects, spec)
}

/** The states that `simulate` shows of some objects and a change, and the objects afterwards. */
export interface Simulated {
  readonly states: Simulation
  readonly items: readonly JsonRecord[]
}

/** Applies a change to some objects and runs the controllers, as `krm-variants simulate --change` does. */
export function simulate(objects: readonly object[], change: readonly object[], spec: object = {}): Simulated {
  const list = ResourceList.parse(printResourceList(objects.map(itemOf), configOf('ResolveDependencies', spec)))
  const changed = ResourceList.parse(printResourceList(change.map(itemOf))).items
  const states = simulateAsConfigured(list, changed.length === 0 ? [] : [{ name: 'change.yaml', objects: changed }])
  return { states, items: list.items.map((item) => item.toJson()) }
}

function configOf(kind: string, spec: object): object {
  return { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind, metadata: { name: 'options' }, spec: { universe: 'closed', ...spec } }
}

function run(fn: KrmFunction, kind: string, objects: readonly object[], spec: object): Printed {
  const { stdout, stderr, exitCode } = evaluate(fn, printResourceList(objects.map(itemOf), configOf(kind, spec)))
  const { items = [], results = [] } = parse(stdout) ?? {}
  return { items, results, exitCode, stderr }
}

// Messages name files, so a file has the name of its object: the same fault in two lists has the same message.
function itemOf(object: object, position: number): Item {
  const { kind = '', metadata } = object as { kind?: string; metadata?: { name?: string; namespace?: string } }
  const { name = `object-${position}`, namespace = '' } = metadata ?? {}
  return { object, path: `${kind}/${namespace}/${name}.yaml`.replace(/[^\w./-]+/g, '_').replace(/\/+/g, '/'), index: 0 }
}

/** The requirements that are not met, as check-dependencies reports them. */
export function unmet(objects: readonly object[]): readonly WireResult[] {
  return check(objects).filter(({ tags }) => tags.dependency !== undefined && UNMET.has(tags.rule ?? ''))
}

const UNMET: ReadonlySet<string> = new Set(['dependency-conflict', 'dependency-missing', 'no-version-available', 'digest-conflict'])

/** A text at a path of an object of a list; '' for any other value. */
export function textIn(object: JsonRecord, ...path: readonly string[]): string {
  let value: JsonValue | undefined = object
  for (const key of path) value = isRecord(value) ? lookup(value, key) : undefined
  return typeof value === 'string' ? value : ''
}
