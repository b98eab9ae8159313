import { describeKind } from '../demands.ts'
import { listNames, listSome, nameSome, quote } from '../finding.ts'
import { formatPlace } from '../place.ts'
import type { Choice, SolverRequirement as Wish } from '../resolve/problem.ts'
import { versionSet } from '../resolve/version-set.ts'
import {
  type GvkRequirement,
  type Leaf,
  leavesOf,
  type PackageRequirement,
  type PackageTarget,
  type Requirement,
  type ServedKinds,
  type Universe,
} from '../universe.ts'
import { meets, type NodeTable, type PackageNode, type PackageValue } from './node.ts'

/** The universe of a requirement, and the nodes and kinds that may meet the requirement. */
interface Known {
  readonly universe: Universe
  readonly nodes: NodeTable
  readonly kinds: ServedKinds
}

/** The nodes and kinds that may meet a requirement. */
export interface DemandContext {
  readonly kinds: ServedKinds
  readonly nodes: NodeTable
}

/**
 * The package that has a requirement. Kinds are searched in its scope. `tellPlace` is set for installed packages: messages name the place.
 */
export interface Requirer {
  readonly universe: Universe
  readonly target: PackageTarget | undefined
  readonly tellPlace: boolean
  /** True to list choices as written; else installed choices are first. */
  readonly asWritten?: boolean
}

/**
 * Returns the choices that meet a requirement. Returns undefined if every choice of versions meets the requirement, or if that is unknown.
 */
export function demandOf(requirement: Requirement, by: Requirer, context: DemandContext): Wish | undefined {
  const leaves = leavesOf(requirement)
  const choices = leaves.map((leaf) => choicesFor(leaf, by, context))
  if (choices.includes('met')) return undefined
  const told = choices.filter((each) => typeof each !== 'string')
  const possible = told.flat().filter(({ versions }) => versions !== 0n)
  // If an alternative is unknown and no other has a choice, the requirement is not checked.
  if (told.length < choices.length && possible.length === 0) return undefined
  // What is optional may be absent; where no version of it would do, it has to be.
  const anyOf = inOrder(requirement.optional ? told.flat() : possible, by)
  if (requirement.optional && anyOf.length === 0) return undefined
  const wants = `${describe(requirement, by, context)}${by.tellPlace ? ` (${formatPlace(requirement.place)})` : ''}`
  const lack = (): string => describeLack(requirement, { ...context, universe: by.universe })
  return { anyOf, wants, ...(requirement.optional && { optional: true }), ...(anyOf.length === 0 && { lack }) }
}

type Choices = readonly Choosable[] | 'met' | 'unknown'

interface Choosable extends Choice {
  readonly isThere: boolean
}

function choicesFor(leaf: Leaf, by: Requirer, context: DemandContext): Choices {
  if (leaf.type === 'platform') return leaf.met ? 'met' : []
  return leaf.type === 'gvk' ? kindChoices(leaf, by, context) : packageChoices(leaf, by, context)
}

function packageChoices(requirement: PackageRequirement, { universe }: Requirer, { nodes }: DemandContext): Choices {
  const isUnknown = nodes.of(requirement.target).every(({ values }) => values.length === 0)
  if (isUnknown) return universe.closed ? [] : 'unknown'
  return nodes.for(requirement).map((node) => choiceFor(node, requirement))
}

// Most versions of a package require another one in the same range.
const choices = new WeakMap<PackageNode, Map<unknown, Choosable>>()

function choiceFor(node: PackageNode, requirement: PackageRequirement): Choosable {
  const known = choices.get(node) ?? new Map<unknown, Choosable>()
  choices.set(node, known)
  const key = requirement.digest ?? requirement.range
  const choice = known.get(key) ?? choiceOf(node, (value) => meets(value, requirement, node.universe))
  known.set(key, choice)
  return choice
}

// A kind comes from the package that is there, or from the only one that is known to bring it; of several none is chosen.
function kindChoices({ wanted }: GvkRequirement, by: Requirer, { kinds, nodes }: DemandContext): Choices {
  if (kinds.servesAnyway(wanted)) return 'met'
  const providing = kinds.targetsOf(wanted, by.target)
  if (providing.size === 0) return by.universe.closed ? [] : 'unknown'
  const known = kindsChosen.get(providing)
  if (known?.nodes === nodes) return known.choices
  const choices = choicesAmong(providing, nodes)
  kindsChosen.set(providing, { nodes, choices })
  return choices
}

// Many packages may require one kind.
const kindsChosen = new WeakMap<object, { readonly nodes: NodeTable; readonly choices: readonly Choosable[] }>()

function choicesAmong(providing: ReadonlyMap<PackageTarget, ReadonlySet<string>>, nodes: NodeTable): readonly Choosable[] {
  const all = [...providing]
  const there = all.filter(([{ installs }]) => installs.length > 0)
  return (there.length > 0 || all.length > 1 ? there : all)
    .flatMap(([target, versions]) => nodes.of(target).map((node) => choiceOf(node, ({ text }) => versions.has(text))))
    .filter((choice) => choice.versions !== 0n)
}

function choiceOf({ id, values }: PackageNode, holds: (value: PackageValue) => boolean): Choosable {
  const numbers: number[] = []
  for (const [number, value] of values.entries()) if (holds(value)) numbers.push(number)
  const isThere = numbers.some((number) => values[number]?.isInstalled === true)
  return { package: id, versions: versionSet(numbers), isThere }
}

// An alternative that is fulfilled stays, so that resolving is stable once it is done.
function inOrder(choices: readonly Choosable[], { asWritten }: Requirer): readonly Choice[] {
  if (choices.length < 2 || asWritten) return choices
  const sorted = [...choices.filter(({ isThere }) => isThere), ...choices.filter(({ isThere }) => !isThere)]
  return sorted.map(({ package: id, versions }) => ({ package: id, versions }))
}

/** Returns a requirement as a noun: `pkg.b ">=2.0.0"`. */
function describe(requirement: Requirement, by: Requirer, context: DemandContext): string {
  if (requirement.type === 'platform') return requirement.wants
  if (requirement.type === 'alternatives') return requirement.alternatives.map((each) => describe(each, by, context)).join(' or ')
  if (requirement.type === 'gvk') return describeProvided(requirement, context)
  const { target, range, digest } = requirement
  return [target.name, digest ?? (range === undefined ? '' : quote(range.text))].filter((part) => part !== '').join(' ')
}

function describeProvided({ wanted }: GvkRequirement, { kinds }: DemandContext): string {
  const kind = describeKind(wanted)
  const providers = kinds.providersOf(wanted)
  return providers.length > 1 ? `${kind}, which ${listNames(nameSome(providers, ({ by }) => by))} provide` : kind
}

/** Returns the reason why nothing meets a requirement, to append to its noun: `, of which 1.5.0 and 1.0.0 are known`. */
function describeLack(requirement: Requirement, known: Known): string {
  const leaves = leavesOf(requirement)
  const [only] = leaves
  if (leaves.length > 1) {
    const lacks = leaves.flatMap((leaf) => lackOfAlternative(leaf, known))
    return lacks.length === 0 ? '' : ` (${listSome(lacks).join('; ')})`
  }
  if (only?.type === 'package') return `, of which ${lackOfPackage(only, known)}`
  return only?.type === 'gvk' && isUnprovided(only, known) ? ', which no known package provides' : ''
}

function lackOfAlternative(leaf: Leaf, known: Known): string[] {
  if (leaf.type === 'package') return [`of ${leaf.target.name} ${lackOfPackage(leaf, known)}`]
  return leaf.type === 'gvk' && isUnprovided(leaf, known) ? [`no known package provides ${describeKind(leaf.wanted)}`] : []
}

function isUnprovided({ wanted }: GvkRequirement, { kinds }: Known): boolean {
  return kinds.providersOf(wanted).length === 0
}

function lackOfPackage({ target, validateOnly, range }: PackageRequirement, { universe, nodes }: Known): string {
  const texts = nodes
    .of(target)
    .flatMap(({ values }) => values.map(({ text }) => text))
    .filter((text) => text !== '')
  if (texts.length === 0) return `no version is known${universe.suggest(target.id).replace(/^; (.*)$/, ' ($1)')}`
  const isKnown = target.versions.some((version) => range === undefined || range.selects(version))
  if (validateOnly && isKnown) return 'none is there, and none is installed for it (install: false)'
  return `${listNames(listSome([...new Set(texts)]))} ${texts.length === 1 ? 'is' : 'are'} known`
}
