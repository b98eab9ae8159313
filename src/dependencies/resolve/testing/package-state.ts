import { SolverPackage } from '../external-incompatibility.ts'
import { type Incompatibility, PackageState } from '../incompatibility.ts'

/** Returns the state of a package with as many versions, the highest first: bit 0 is the highest, the last bit stands for absent. */
export function packageState(id: string, count = 2): PackageState {
  return new PackageState(new SolverPackage({ id, versions: Array.from({ length: count }, (_, i) => String(count - i)) }))
}

/** The cause of incompatibilities whose cause does not matter: a root requirement, `app requires b`. */
export const ROOT_CAUSE: Incompatibility['cause'] = {
  type: 'external',
  external: { cause: { type: 'root', root: { id: 'app', text: 'app requires b', anyOf: [] } }, given: true, terms: [], choices: [] },
}
