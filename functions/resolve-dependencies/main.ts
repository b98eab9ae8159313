import { optimizeLate } from '../../src/late-optimization.ts'
import { main } from '../../src/run.ts'
import { resolveDependencies } from './resolve-dependencies.ts'

optimizeLate()
await main(resolveDependencies)
