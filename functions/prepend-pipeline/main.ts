import { main } from '../../src/run.ts'
import { prependPipeline } from './prepend-pipeline.ts'

await main(prependPipeline)
