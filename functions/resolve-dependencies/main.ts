import { main } from '../../src/run.ts'
import { optimizeLate } from '../../src/v8-flags.ts'
import { resolveDependencies } from './resolve-dependencies.ts'

optimizeLate()
await main(resolveDependencies)
