import { main } from '../../src/run.ts'
import { collectOften, optimizeLate } from '../../src/v8-flags.ts'
import { resolveDependencies } from './resolve-dependencies.ts'

optimizeLate()
collectOften()
await main(resolveDependencies)
