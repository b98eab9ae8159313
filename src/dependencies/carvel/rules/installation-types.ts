import { compareText } from '../../../field-path.ts'
import { formatResourceRef } from '../../../result.ts'
import { formatPlace } from '../../place.ts'
import { placeOfField } from '../../reading/field.ts'
import type { SelectingInstall } from '../select.ts'
import type { CarvelFinding } from './carvel-rules.ts'

/**
 * Packages that are installed more often than an installationType among them allows (seed 002, onePerCluster and onePerNamespace): what
 * one of two says holds for both.
 */
export function checkInstallationTypes(installs: readonly SelectingInstall[]): CarvelFinding[] {
  const first = new Map<string, SelectingInstall>()
  return [...installs].sort(compareInstalls).flatMap((each) => {
    const earlier = scopesAgainst(each).flatMap((scope) => first.get(scope) ?? [])[0]
    for (const scope of scopesOf(each)) if (!first.has(scope)) first.set(scope, each)
    return earlier === undefined ? [] : [conflict(each, earlier)]
  })
}

function compareInstalls({ install: a }: SelectingInstall, { install: b }: SelectingInstall): number {
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name)
}

/**
 * Returns the scopes that an install is part of: its cluster, its namespace, and the one that it must have alone. Example: `any
 * a.example.org`, `any ns a.example.org`, `single a.example.org`.
 */
function scopesOf(each: SelectingInstall): string[] {
  const { cluster, namespace } = placesOf(each)
  const type = typeOf(each)
  const single = type === 'onePerCluster' ? [`single ${cluster}`] : type === 'onePerNamespace' ? [`single ${namespace}`] : []
  return [`any ${cluster}`, `any ${namespace}`, ...single]
}

/**
 * Returns the scopes whose members exclude an install: every install of the scope that this install must have alone, else the installs that
 * must have the scope alone.
 */
function scopesAgainst(each: SelectingInstall): string[] {
  const { cluster, namespace } = placesOf(each)
  const type = typeOf(each)
  return [`${type === 'onePerCluster' ? 'any' : 'single'} ${cluster}`, `${type === 'onePerNamespace' ? 'any' : 'single'} ${namespace}`]
}

function placesOf({ install: { ref, namespace } }: SelectingInstall): { readonly cluster: string; readonly namespace: string } {
  return { cluster: ref.refName, namespace: `${namespace} ${ref.refName}` }
}

function typeOf({ selection }: SelectingInstall): string | undefined {
  return selection.selected?.installationType
}

function conflict(second: SelectingInstall, first: SelectingInstall): CarvelFinding {
  const { install, selection } = second
  const { refName } = install.ref
  const both = [first, second]
    .map(({ install: { object, refField }, selection: { version } }) =>
      [formatResourceRef(object.ref), version?.text, `(${formatPlace(placeOfField(refField))})`]
        .filter((part) => part !== undefined)
        .join(' '),
    )
    .join(' and ')
  return {
    rule: 'installation-type',
    message: `${refName} is ${[first, second].map(typeOf).includes('onePerCluster') ? 'onePerCluster' : 'onePerNamespace'}, and installed by ${both}`,
    place: placeOfField(install.refField),
    tags: { ecosystem: 'carvel', package: refName, installed: selection.version?.text ?? '' },
  }
}
