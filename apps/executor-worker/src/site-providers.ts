import { hostname } from 'node:os';
import { StorageConfig } from '@fleet/config';
import { Doctor, processCheckup } from '@fleet/observability';
import { CLOCK, SITE_LOOKS, type Checkup, type Clock, type SiteLooks } from '@fleet/ports';
import { WorkRootCheckup } from '@fleet/session-folder';
import { RedisCheckup } from '@fleet/redis';
import { DatabaseCheckup } from '@fleet/store';
import type { Provider } from '@nestjs/common';
import { EXECUTION_SITE, type ExecutionSite } from './execution-site';
import { asExecutors, SiteWatch } from './upkeep/site-watch';

type Injected = readonly [ExecutionSite, SiteLooks, DatabaseCheckup, RedisCheckup, StorageConfig, Clock];

/** Providers that check the site from here, for the doctor. */
export const siteProviders: Provider[] = [
  {
    provide: SiteWatch,
    inject: [EXECUTION_SITE, SITE_LOOKS, DatabaseCheckup, RedisCheckup, StorageConfig, CLOCK],
    useFactory: (...[{ backend }, looks, database, redis, { workRoot }, clock]: Injected): SiteWatch => {
      const { site } = backend;
      const area = backend.name === 'kubernetes' ? 'cluster' : backend.name;
      const checkups: readonly Checkup[] = [
        ...[database, redis, new WorkRootCheckup(workRoot), processCheckup()].map(asExecutors),
        ...(site === undefined ? [] : [{ area, check: () => site.look() }]),
      ];
      return new SiteWatch({ doctor: new Doctor(checkups, clock), site, looks, executor: hostname() });
    },
  },
];
