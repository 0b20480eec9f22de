import 'reflect-metadata';
import {
  defaultDashboardFolder,
  AccessConfig,
  GatewayConfig,
  loadConfig,
  NotificationsConfig,
  trustedProxiesOf,
} from '@fleet/config';
import { beginProcess, endOnFailure } from '@fleet/observability';
import { prepareAccess } from './auth/access/prepare-access';
import { createGateway } from './create-gateway';
import { gatewayModule } from './gateway.module';

/** Milliseconds; shorter than the 30 s after which Kubernetes kills. */
const drainMs = 10_000;
/** Time before that in milliseconds; active clients send requests more often. */
const farewellMs = 2_000;

const start = async (): Promise<void> => {
  const logger = beginProcess('gateway');
  try {
    const { host, port, maxBodyBytes, names, publicPath } = loadConfig(GatewayConfig);
    const { publicUrl } = loadConfig(NotificationsConfig);
    const publicName = publicUrl === undefined ? '' : new URL(publicUrl).hostname;
    const app = await createGateway(gatewayModule(), {
      maxBodyBytes,
      logger,
      drainMs,
      farewellMs,
      names: [host, publicName, ...(names ?? '').split(/[ ,]+/)].filter((name) => name !== ''),
      trustedProxies: trustedProxiesOf(loadConfig(AccessConfig)),
      dashboard: { folder: defaultDashboardFolder(__dirname), publicPath },
    });
    app.enableShutdownHooks();
    await app.init();
    await prepareAccess(app);
    await app.listen(port, host);
    logger.log({ message: 'gateway is ready', url: await app.getUrl(), pid: process.pid });
  } catch (error) {
    endOnFailure(logger, 'gateway', error);
  }
};

void start();
