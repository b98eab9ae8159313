import { listNames, listSome } from '../finding.ts'
import { childField, placeOfField } from '../reading/field.ts'
import { WrittenRequirement } from '../reading/written-requirement.ts'
import type { Exclusive, PackageRequirement, PackageTarget, Requirement } from '../universe.ts'
import { versionsOf } from './carvel-package-index.ts'
import type { CarvelContext } from './context.ts'
import type { DeclaredDependency, DeclaredPackage } from './dependencies.ts'
import type { Override, PackageInstall } from './installs.ts'
import type { CarvelPackage } from './packages.ts'
import { allowsPlatform, prereleasesOf } from './select.ts'

/** Whose dependencies are read: those of a PackageInstall, or of one that would be made. */
export type Installing = Pick<PackageInstall, 'namespace' | 'overrides' | 'validateOnly'>

/** The target of a package in a namespace; only versions that run on the cluster are known of it. */
export function carvelTarget(namespace: string, refName: string, context: CarvelContext): PackageTarget {
  const { targets, visible, reader, options } = context
  return targets.target({
    key: `${namespace}/${refName}`,
    id: refName,
    name: nameIn(namespace, refName),
    scope: namespace,
    versions: () => {
      const all = visible(namespace, refName)
      const runnable = all.filter(
        (each) =>
          allowsPlatform(each.kubernetesVersionSelection, options.kubernetesVersion, reader) &&
          allowsPlatform(each.kappControllerVersionSelection, options.kappControllerVersion, reader),
      )
      return runnable.length === all.length ? context.versions(namespace, refName) : versionsOf(runnable, reader)
    },
    requirements: (text) => {
      const selected = visible(namespace, refName).find(({ version }) => version === text)
      return carvelRequirements(
        selected,
        context.installOf(namespace, refName) ?? { namespace, overrides: [], validateOnly: false },
        context,
      )
    },
  })
}

/** A package as messages call it: `pkg.example.com`, `pkg.example.com in team-a`. */
export function nameIn(namespace: string, refName: string): string {
  return namespace === 'default' ? refName : `${refName} in ${namespace}`
}

/** The namespace of a target; that of a package of another system is `default`. */
export function namespaceOfInstall(target: PackageTarget | undefined): string {
  return target?.scope ?? 'default'
}

/**
 * Returns the rule that allows a package only one install in the cluster (seed 002, installationType onePerCluster); undefined when no
 * visible version is onePerCluster.
 */
export function exclusiveOf(target: PackageTarget, context: CarvelContext): Exclusive | undefined {
  const packages = context.visible(namespaceOfInstall(target), target.id)
  const single = new Set(packages.filter(({ installationType }) => installationType === 'onePerCluster').map(({ version }) => version))
  if (single.size === 0) return undefined
  const isAlways = packages.every(({ version }) => single.has(version))
  const reason = `${target.id} is onePerCluster${isAlways ? '' : ` in ${listNames(listSome([...single]))}`}`
  return { reason, applies: ({ text }) => single.has(text) }
}

/** Returns the requirements of a Package for the given way of installing it; undefined when its dependencies are not known. */
export function carvelRequirements(
  selected: CarvelPackage | undefined,
  installing: Installing,
  context: CarvelContext,
): readonly Requirement[] | undefined {
  return context.declaredBy(selected)?.map((each) => requirementOf(each, installing, context))
}

function requirementOf(declared: DeclaredDependency, installing: Installing, context: CarvelContext): Requirement {
  const { optional } = declared
  if (declared.type === 'package') return packageRequirement(declared, installing, context)
  const place = placeOfField(declared.field)
  if (declared.type === 'gvk') return { type: 'gvk', wanted: { apiVersion: declared.apiVersion, kind: declared.kind }, optional, place }
  const alternatives = declared.alternatives.map((each) => requirementOf(each, installing, context))
  return { type: 'alternatives', optional, place, alternatives }
}

// An override replaces the constraint of the author. The place of the requirement is then the field of the override.
function packageRequirement(declared: DeclaredPackage, installing: Installing, context: CarvelContext): PackageRequirement {
  const override = installing.overrides.find((each) => overrideAppliesTo(each, declared))
  const constraint = override?.constraints ?? declared.constraint
  const ref = { refName: declared.refName, constraints: constraint ?? '', prereleases: override?.prereleases }
  const written = declared.constraint === undefined ? declared.field : declared.constraintField
  const overridden =
    override?.constraints === undefined ? undefined : childField(childField(override.field, 'versionSelection'), 'constraints')
  return new WrittenRequirement({
    target: carvelTarget(installing.namespace, declared.refName, context),
    range: constraint === undefined ? undefined : context.reader.range(constraint, { admitted: prereleasesOf(ref, context.reader) }),
    optional: declared.optional,
    validateOnly: override?.install === undefined ? installing.validateOnly : !override.install,
    alias: declared.alias,
    field: overridden ?? written,
  })
}

/** Returns true if an override concerns a dependency: its name is the refName of the dependency, or the dependency's name in the list. */
export function overrideAppliesTo({ name }: Override, { refName, alias }: DeclaredPackage): boolean {
  return name === refName || name === alias
}
