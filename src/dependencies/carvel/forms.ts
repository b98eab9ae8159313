import type { Collector } from '../reading/collector.ts'
import { childField, type ObjectField, textOfField } from '../reading/field.ts'
import type { CarvelContext } from './context.ts'
import { type DeclaredDependency, readDependencies } from './dependencies.ts'
import type { Override, PackageInstall } from './installs.ts'
import type { CarvelPackage, WrittenPackage } from './packages.ts'

/** Checks the forms and constraints of a Package, whether or not anything installs it. */
export function checkPackageForms(each: CarvelPackage, context: CarvelContext, collector: Collector): void {
  if (each.kubernetesVersionSelection !== '' || each.kappControllerVersionSelection !== '') checkPlatformRanges(each, collector)
  const dependencies = each.dependencies()
  if (dependencies === undefined) return
  for (const dependency of readDependencies(dependencies, collector)) checkDeclared(dependency, each, context, collector)
}

function checkPlatformRanges(each: CarvelPackage, collector: Collector): void {
  const { kubernetes, kappController } = each.platform()
  for (const field of [kubernetes, kappController]) {
    const constraint = textOfField(field) ?? ''
    if (constraint !== '') collector.constraint(field, constraint, () => ({ known: () => [], tags: { package: each.refName } }))
  }
}

function checkDeclared(dependency: DeclaredDependency, owner: CarvelPackage, context: CarvelContext, collector: Collector): void {
  if (dependency.type === 'alternatives') {
    for (const each of dependency.alternatives) checkDeclared(each, owner, context, collector)
  }
  if (dependency.type !== 'package' || dependency.constraint === undefined) return
  const { refName, constraint, constraintField } = dependency
  collector.constraint(constraintField, constraint, () => ({
    known: () => context.versions(owner.namespace ?? '', refName),
    tags: { package: owner.refName, dependency: refName },
  }))
}

/** Keys of a Package that are most likely misspelt: what they say is lost. */
export function checkPackageKeys(written: WrittenPackage, collector: Collector): void {
  if (written.dependencies().value === undefined) collector.misspelt(written.object, ['spec'], 'dependencies')
  if (written.provides().value === undefined) collector.misspelt(written.object, ['spec'], 'provides')
}

/** Checks the constraints of a PackageInstall, and those of its overrides. */
export function checkInstallForms(
  { namespace, ref, constraintsField, overrides }: PackageInstall,
  context: CarvelContext,
  collector: Collector,
): void {
  const check = (
    field: ObjectField,
    refName: string,
    { constraints, prereleases }: Pick<Override, 'constraints' | 'prereleases'>,
  ): void => {
    if (constraints === undefined || constraints === '') return
    collector.constraint(field, constraints, () => ({
      known: () => context.versions(namespace, refName),
      prereleases: prereleases !== undefined,
      tags: { dependency: refName },
    }))
  }
  check(constraintsField, ref.refName, { constraints: ref.constraints, prereleases: ref.prereleases })
  for (const each of overrides) check(childField(childField(each.field, 'versionSelection'), 'constraints'), each.name, each)
}
