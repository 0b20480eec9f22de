import { randomBytes } from 'node:crypto';
import type { CheckupView, Trial, TrialAnswer } from '@fleet/contracts';
import { Doctor } from '@fleet/observability';
import { SITE_LOOKS, type SiteLooks } from '@fleet/ports';
import { Controller, Get, HttpCode, Inject, Post, Req, UseGuards } from '@nestjs/common';
import { doneBy, principalOf } from '../access/principal-of';
import { Requires } from '../access/requires.decorator';
import { AdminSwitch } from '../administration/admin-switch.guard';
import { noteForAudit } from '../audit/audit-note';
import type { HttpRequest } from '../http/http-types';
import { AskTrialDocs, DoctorDocs, TrialDocs } from '../openapi/doctor-docs';

/** What is wrong with a site, for those who run the service. */
@Controller('v1/admin/doctor')
@UseGuards(AdminSwitch)
export class DoctorController {
  constructor(
    @Inject(Doctor) private readonly doctor: Doctor,
    @Inject(SITE_LOOKS) private readonly looks: SiteLooks,
  ) {}

  @Get()
  @Requires('admin.read')
  @DoctorDocs()
  look(): Promise<CheckupView> {
    return this.doctor.look();
  }

  @Get('trial')
  @Requires('admin.read')
  @TrialDocs()
  async trial(): Promise<TrialAnswer> {
    const trial = await this.looks.trial();
    return trial === undefined ? {} : { trial };
  }

  @Post('trial')
  @Requires('admin.change')
  @HttpCode(202)
  @AskTrialDocs()
  async askTrial(@Req() request: HttpRequest): Promise<Trial> {
    const trial = await this.looks.askTrial(randomBytes(4).toString('hex'), doneBy(principalOf(request), ''));
    noteForAudit(request, { object: 'trial', after: { id: trial.id, askedBy: trial.askedBy } });
    return trial;
  }
}
