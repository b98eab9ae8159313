import { objectsIn, type PackageFiles } from '../merge/package-files.ts'
import { answered } from '../pipeline/calls.ts'
import { clusterObjects, type PolicyPackage, type PolicyPackages } from '../policy/policy-packages.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { type FleetState, type PackageStep, rendererOf } from './fleet-state.ts'
import { renderedFiles } from './package-objects.ts'
import { filesIn } from './package-pairs.ts'

/** Returns the packages of a state as `render` leaves them. Each is rendered when the packages are asked for, unless the state kept it. */
export function packagesAfter(state: FleetState): PolicyPackages {
  const { plan, committed, kept } = state
  return (isWanted) => {
    const { steps } = plan
    committed?.load(steps.map(({ folder, movedFrom = folder }) => movedFrom))
    const renderer = rendererOf(state)
    const filesOf = (step: PackageStep): PackageFiles => {
      const known = kept?.get(step)
      if (known !== undefined) return known
      if (step.op !== 'leave' || committed === undefined) return renderedFiles(answered(renderer.render(step)), committed?.shown)
      return filesIn(committed.folder(step.folder), `${committed.shown}/${step.folder}`)
    }
    return steps.flatMap((step) => stateOf(step.folder, filesOf(step))).filter(({ kptfile, folder }) => isWanted(kptfile, folder))
  }
}

function stateOf(folder: string, files: PackageFiles): readonly PolicyPackage[] {
  const objectsOf = (path: string) => objectsIn(files.get(path))
  const [kptfile] = objectsOf(KPTFILE)
  if (kptfile === undefined) return []
  return [{ folder, kptfile, objects: () => [...files.keys()].flatMap(objectsOf).flatMap(clusterObjects) }]
}
