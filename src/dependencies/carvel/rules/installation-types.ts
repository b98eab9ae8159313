import { compareText } from '../../../field-path.ts'
import { formatResourceRef } from '../../../result.ts'
import { formatPlace } from '../../place.ts'
import { placeOf } from '../../reading/field.ts'
import type { SelectingInstall } from '../selecting-install.ts'
import type { CarvelFinding } from './carvel-rules.ts'

/** Packages that are installed more often than their installationType allows (seed 002, onePerCluster and onePerNamespace). */
export function checkInstallationTypes(installs: readonly SelectingInstall[]): CarvelFinding[] {
  const first = new Map<string, SelectingInstall>()
  return [...installs].sort(compareInstalls).flatMap((each) => {
    const scope = scopeOf(each)
    const earlier = scope === undefined ? undefined : first.get(scope)
    if (scope !== undefined && earlier === undefined) first.set(scope, each)
    return earlier === undefined ? [] : [conflict(each, earlier)]
  })
}

function compareInstalls({ install: a }: SelectingInstall, { install: b }: SelectingInstall): number {
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name)
}

// Installs that exclude each other have the same scope; undefined: no restriction.
function scopeOf({ install, selection }: SelectingInstall): string | undefined {
  const { refName } = install.ref
  const type = selection.selected?.installationType
  if (type === 'onePerCluster') return refName
  return type === 'onePerNamespace' ? `${install.namespace} ${refName}` : undefined
}

function conflict(second: SelectingInstall, first: SelectingInstall): CarvelFinding {
  const { install, selection } = second
  const { refName } = install.ref
  const both = [first, second]
    .map(
      ({ install: { object, refField }, selection: { version } }) =>
        `${formatResourceRef(object.ref)} ${version?.text} (${formatPlace(placeOf(refField))})`,
    )
    .join(' and ')
  return {
    rule: 'installation-type',
    message: `${refName} is ${selection.selected?.installationType}, and installed by ${both}`,
    place: placeOf(install.refField),
    tags: { ecosystem: 'carvel', package: refName, installed: selection.version?.text ?? '' },
  }
}
