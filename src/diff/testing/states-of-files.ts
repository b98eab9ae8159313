import { fleetState } from '../../../testdata/diff/fleet-state.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { isBytes } from '../../merge/package-files.ts'
import { answered } from '../../pipeline/calls.ts'
import { type FleetState, rendererOf } from '../fleet-state.ts'
import { renderedFiles } from '../package-objects.ts'

/** The texts of files by path. */
export type Files = Readonly<Record<string, string>>

/**
 * Returns a fleet as `diff` reads it.
 *
 * @param files     the fleet in `fleet/`, its upstream packages in `catalog/PACKAGE@REVISION/`
 * @param packages  the committed packages by REPOSITORY/PACKAGE/PATH; absent where none are committed
 */
export function stateOfFiles(files: Files, packages?: Files): FleetState {
  const state = fleetState(linesOf(files), 'state', packages && linesOf(packages))
  if (state === undefined) throw new Error('must be a fleet that can be planned')
  return state
}

function linesOf(files: Files): ReadonlyMap<string, readonly string[]> {
  return new Map(Object.entries(files).map(([path, text]) => [path, text.replace(/\n$/, '').split('\n')]))
}

/** Returns the packages of a fleet as `render` makes them, by REPOSITORY/PACKAGE/PATH. */
export function renderedPackages(files: Files, packages?: Files): Files {
  const state = stateOfFiles(files, packages)
  const renderer = rendererOf(state)
  return Object.fromEntries(
    state.plan.steps.flatMap((step) =>
      Array.from(renderedFiles(answered(renderer.render(step))), ([path, content]) => {
        const text = isBytes(content) ? Buffer.from(content).toString('utf8') : content.map((object) => object.toText()).join('---\n')
        return [`${step.folder}/${path}`, text]
      }),
    ),
  )
}

/**
 * Returns the text of a PackageVariant whose package REPOSITORY/PACKAGE is made of a revision of `catalog/web`, with more fields of its
 * spec.
 */
export function variantText(name: string, downstream: string, { revision = 1, upstream = 'catalog/web', more = '' } = {}): string {
  const [[repo, own], [from, pkg]] = [downstream.split('/'), upstream.split('/')]
  return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${name}, namespace: fleet}
spec:
  upstream: {repo: ${from}, package: ${pkg}, revision: ${revision}}
  downstream: {repo: ${repo}, package: ${own}}
${more}`
}

export const KPTFILE_TEXT = kptfileText('web')

/** Returns the text of a ConfigMap with one value. */
export function configText(name: string, value: string): string {
  return configMapText(name, `data: {value: ${value}}\n`)
}
