import type { CheckupView } from '@fleet/contracts';
import { Controller, Get, Inject, UseGuards } from '@nestjs/common';
import { Requires } from '../access/requires.decorator';
import { AdminSwitch } from '../administration/admin-switch.guard';
import { DoctorDocs } from '../openapi/administration-docs';
import { Doctor } from './doctor.service';

/** What is wrong with a site, for those who run the service. */
@Controller('v1/admin/doctor')
@UseGuards(AdminSwitch)
export class DoctorController {
  constructor(@Inject(Doctor) private readonly doctor: Doctor) {}

  @Get()
  @Requires('admin.read')
  @DoctorDocs()
  look(): Promise<CheckupView> {
    return this.doctor.look();
  }
}
