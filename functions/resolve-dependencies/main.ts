import { main } from '../../src/run.ts'
import { resolveDependencies } from './resolve-dependencies.ts'

await main(resolveDependencies)
