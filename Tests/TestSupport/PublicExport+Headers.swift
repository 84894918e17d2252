extension PublicExport {
    /// Twelve headers: open data of cities and states, standards, the VetRide manifest, and an invented one of a dispatch
    /// system with billing.
    package static let all = [
        sanFrancisco, indiana, newYork, seattle, marin, virginiaBeach, cincinnati, vetRide, neris, nemsisEvents,
        nemsisReport, dispatchAndBilling,
    ]

    /// Fire Department Calls for Service, data.sfgov.org. A row is a unit.
    package static let sanFrancisco = PublicExport(
        "San Francisco", .us12,
        """
        Call Number | - | pairs
        Unit ID | vehicle_id
        Incident Number | - | pairs
        Call Type | trip_type? | w Medical Incident, Alarms, Traffic Collision, Other
        Call Date | service_date | date
        Watch Date | - | date
        Received DtTm | requested_at | t 0
        Entry DtTm | - | t 1
        Dispatch DtTm | unit_notified_at | t 2
        Response DtTm | en_route_at | t 3
        On Scene DtTm | on_scene_at | t 4
        Transport DtTm | left_scene_at | o 6
        Hospital DtTm | arrived_at | o 7
        Call Final Disposition | status? | w Code 2 Transport, Code 3 Transport, Fire, No Merit, Patient Declined Transport
        Available DtTm | completed_at | t 9
        Address | origin? | address
        City | region? | w San Francisco, Presidio, Treasure Isla
        Zipcode of Incident | - | zip
        Battalion | region | w B01, B02, B03, B04, B05, B06, B07, B08, B09, B10
        Station Area | region? | n 1-51
        Box | - | n 1000-8000
        Original Priority | - | w 2, 3, A, B, E
        Priority | trip_type? | w 2, 3, E
        Final Priority | trip_type | w 2, 3
        ALS Unit | - | w true, false
        Call Type Group | trip_type? | w Potentially Life-Threatening, Non Life-threatening, Alarm, Fire
        Number of Alarms | - | w 1
        Unit Type | provider_id | w MEDIC, PRIVATE, ENGINE
        Unit sequence in call dispatch | - | n 1-9
        Fire Prevention District | region? | n 1-10
        Supervisor District | region? | n 1-11
        Neighborhooods - Analysis Boundaries | region? | w Mission, Tenderloin, Bernal Heights
        Location | origin? | point
        RowID | trip_id | unitid
        """)

    /// A sample of the state's EMS incidents, hub.mph.in.gov: dates without times, and no id.
    package static let indiana = PublicExport(
        "Indiana", .iso,
        """
        INCIDENT_DT | service_date | date
        INCIDENT_COUNTY | region | w MARION, LAKE, ALLEN, HAMILTON, VIGO, CLARK
        CHIEF_COMPLAINT_DISPATCH | trip_type? | w Chest Pain (Non-Traumatic), Falls, Transfer/Interfacility/Palliative Care
        CHIEF_COMPLAINT_ANATOMIC_LOC | - | w Chest, Head, Abdomen
        PRIMARY_SYMPTOM | - | w PAIN, OTHER
        PROVIDER_IMPRESSION_PRIMARY | - | w PAIN, INJURY
        DISPOSITION_ED | status? | blank
        DISPOSITION_HOSPITAL | status? | blank
        INJURY_FLG | - | w Yes, No
        NALOXONE_GIVEN_FLG | - | w 0, 1
        MEDICATION_GIVEN_OTHER_FLG | - | w 0, 1
        DESTINATION_TYPE | - | w Home, Hospital-Emergency Department
        PROVIDER_TYPE_STRUCTURE | provider_id? | w Fire Department, Hospital
        PROVIDER_TYPE_SERVICE | - | w 911 Response (Scene) with Transport Capability
        PROVIDER_TYPE_SERVICE_LEVEL | - | w 2009 Paramedic
        PROVIDER_TO_SCENE_MINS | - | n 1-30
        PROVIDER_TO_DESTINATION_MINS | - | n 5-60
        UNIT_NOTIFIED_BY_DISPATCH_DT | unit_notified_at? | date
        UNIT_ARRIVED_ON_SCENE_DT | on_scene_at? | date
        UNIT_ARRIVED_TO_PATIENT_DT | - | date
        UNIT_LEFT_SCENE_DT | left_scene_at? | date
        PATIENT_ARRIVED_DESTINATION_DT | arrived_at? | date
        """)

    /// EMS Incident Dispatch Data, data.cityofnewyork.us. A row is an incident.
    package static let newYork = PublicExport(
        "New York", .us12,
        """
        CAD_INCIDENT_ID | trip_id | id
        INCIDENT_DATETIME | requested_at | t 0
        INITIAL_CALL_TYPE | - | w SICK, INJURY, DIFFBR
        INITIAL_SEVERITY_LEVEL_CODE | - | n 1-8
        FINAL_CALL_TYPE | trip_type? | w SICK, INJURY, DIFFBR
        FINAL_SEVERITY_LEVEL_CODE | trip_type? | n 1-8
        FIRST_ASSIGNMENT_DATETIME | unit_notified_at | t 2
        VALID_DISPATCH_RSPNS_TIME_INDC | - | w Y, N
        DISPATCH_RESPONSE_SECONDS_QY | - | n 5-900
        FIRST_ACTIVATION_DATETIME | en_route_at | t 3
        FIRST_ON_SCENE_DATETIME | on_scene_at | t 4
        VALID_INCIDENT_RSPNS_TIME_INDC | - | w Y, N
        INCIDENT_RESPONSE_SECONDS_QY | - | n 100-999
        INCIDENT_TRAVEL_TM_SECONDS_QY | - | n 100-999
        FIRST_TO_HOSP_DATETIME | left_scene_at | o 6
        FIRST_HOSP_ARRIVAL_DATETIME | arrived_at | o 7
        INCIDENT_CLOSE_DATETIME | completed_at | t 9
        HELD_INDICATOR | - | w Y, N
        INCIDENT_DISPOSITION_CODE | status? | w 82, 83, 87, 90, 93, 96
        BOROUGH | region | w BRONX, BROOKLYN, MANHATTAN, QUEENS, RICHMOND / STATEN ISLAND
        INCIDENT_DISPATCH_AREA | region? | w B1, K2, M3, Q4, S1
        ZIPCODE | - | zip
        POLICEPRECINCT | - | n 1-123
        CITYCOUNCILDISTRICT | - | n 1-51
        COMMUNITYDISTRICT | - | n 101-595
        COMMUNITYSCHOOLDISTRICT | - | n 1-32
        CONGRESSIONALDISTRICT | - | n 3-16
        REOPEN_INDICATOR | - | w Y, N
        SPECIAL_EVENT_INDICATOR | - | w Y, N
        STANDBY_INDICATOR | - | w Y, N
        TRANSFER_INDICATOR | - | w Y, N
        """)

    /// Real-Time Fire 911 Calls, data.seattle.gov.
    package static let seattle = PublicExport(
        "Seattle", .us12,
        """
        Address | origin? | address
        Type | trip_type | w Aid Response, Medic Response, Auto Fire Alarm
        Datetime | requested_at | t 0
        Latitude | - | degrees
        Longitude | - | degrees
        Report Location | origin? | point
        Incident Number | trip_id | id
        """)

    /// Emergency Medical Service Incidents, data.marincounty.org, as far as published scripts name its columns: no id.
    package static let marin = PublicExport(
        "Marin", .us12,
        """
        Time Call Was Received | requested_at | t 0
        Time Vehicle was Dispatched | unit_notified_at | t 2
        Time Vehicle was en Route to Scene | en_route_at | t 3
        Time Arrived on Scene | on_scene_at | t 4
        Time Arrived at Patient | - | t 5
        Time Departed from the Scene | left_scene_at | o 6
        Time Arrived to Next Destination (i.e., Hospital) | arrived_at | o 7
        Disposition | status? | w Transported, Treated and Released, Patient Refused
        Protocol Used by EMS Personnel | - | w Cardiac, General
        Primary Impression | - | w Pain, Injury
        Primary Injury | - | w Fall, None
        Patient Age | - | n 20-99
        Incident Address | origin? | address
        Incident City | region? | w San Rafael, Novato, Sausalito
        Incident ZIP Postal | - | zip
        Incident County | region | w Marin, Sonoma
        Incident Latitude | - | degrees
        Incident Longitude | - | degrees
        """)

    /// Calls for service, data.virginiabeach.gov.
    package static let virginiaBeach = PublicExport(
        "Virginia Beach", .us24,
        """
        Incident Number | trip_id | id
        Report Number | - | blank
        Call Type | trip_type? | w SICK PERSON, FALLS, BREATHING PROBLEMS
        Priority | trip_type | w 1, 2, 3
        Zone | region | w ZONE 1, ZONE 2, ZONE 3
        Subdivision | region? | w PUNGO, OCEANA
        Call Date/Time | requested_at | t 0
        Entry Date/Time | - | t 1
        Dispatch Date/Time | unit_notified_at | t 2
        En Route Date/Time | en_route_at | t 3
        On Scene Date/Time | on_scene_at | t 4
        Close Date/Time | completed_at | t 9
        Case Disposition | status? | w REPORT, NO REPORT
        Location | origin? | address
        """)

    /// Fire Incidents (CAD), data.cincinnati-oh.gov.
    package static let cincinnati = PublicExport(
        "Cincinnati", .us12,
        """
        ADDRESS_X | origin? | address
        LATITUDE_X | - | degrees
        LONGITUDE_X | - | degrees
        AGENCY | provider_name | w CFD
        CREATE_TIME_INCIDENT | requested_at | t 0
        DISPOSITION_TEXT | status? | w MEDIC TRANSPORT, FALSE ALARM, NO ACTION
        EVENT_NUMBER | trip_id | id
        INCIDENT_TYPE_ID | trip_type? | w 26A1, 17B1, 6D1
        INCIDENT_TYPE_DESC | trip_type? | w SICK PERSON, FALLS
        NEIGHBORHOOD | region | w AVONDALE, CLIFTON, WESTWOOD
        ARRIVAL_TIME_PRIMARY_UNIT | on_scene_at | t 4
        BEAT | region? | w ST01, ST02
        CLOSED_TIME_INCIDENT | completed_at | t 9
        DISPATCH_TIME_PRIMARY_UNIT | unit_notified_at | t 2
        CFD_INCIDENT_TYPE | trip_type? | w ALS, BLS, FIRE, OTHE
        CFD_INCIDENT_TYPE_GROUP | trip_type? | w SICK PERSON, TRAUMA
        COMMUNITY_COUNCIL_NEIGHBORHOOD | region? | w AVONDALE, CLIFTON
        """)

    /// The trip manifest of the Department of Veterans Affairs, with the birth date that one vendor adds.
    package static let vetRide = PublicExport(
        "VetRide", .usShort,
        """
        Trip ID | trip_id | id
        Vendor Trip ID | - | text
        Trip Type | trip_type | w Routine, Emergency
        Passenger Member ID | patient_id | n 10000-99999
        Passenger | patient_name | person
        Date Of Birth | patient_dob | birth
        Phone Number | patient_phone? | phone
        Mobility | - | w Wheelchair, Ambulatory
        Extra | - | blank
        Estimated Pickup Time | requested_at | t 0
        Earliest Departure Time | - | t 0
        Latest Arrival Time | appointment_at? | t 9
        Appointment Time | appointment_at | t 9
        Buffer (minutes) | - | n 5-30
        Pickup Address | origin | address
        Dropoff Address | destination | address
        Estimated Distance (miles) | estimated_miles | miles
        Third Party | provider_name | w Synthetic Transport, Example Ambulance
        Contract Name | - | w C-North, C-South
        Contract Number | contract_number | w K100, K200
        Status | status | w Completed, Cancelled, No Show
        Start Odometer | odometer_start | odometer 1
        End Odometer | odometer_end | odometer 7
        Start Time | left_scene_at | t 5
        End Time | arrived_at | t 7
        Comments | notes | text
        VA Notes | notes? | text
        Loaded Mileage | loaded_miles | miles
        Wait Time (Minutes) | - | n 1-30
        Unloaded Mileage | unloaded_miles | miles
        Invoice Number | invoice_number | n 10000-99999
        Invoice Date | - | date
        Actual Cost | cost | money
        """)

    /// NERIS, module unit_response with its medical times.
    package static let neris = PublicExport(
        "NERIS", .iso,
        """
        incident_neris_id | trip_id | id
        reported_unit_id | vehicle_id | w M1, M2, M3
        time_dispatch | unit_notified_at | t 2
        time_enroute_to_scene | en_route_at | t 3
        time_on_scene | on_scene_at | t 4
        time_canceled_enroute | - | blank
        time_staging | - | t 4
        time_unit_clear | completed_at | t 9
        time_at_patient | - | t 5
        time_enroute_hospital | left_scene_at | o 6
        time_arrived_hospital | arrived_at | o 7
        time_transfer_to_agency | - | blank
        time_transfer_to_facility | - | o 8
        time_hospital_clear | completed_at? | o 9
        hospital_destination | destination | w General, Mercy
        time_turnout | - | n 30-120
        """)

    /// The times of the NEMSIS public-release data set.
    package static let nemsisEvents = PublicExport(
        "NEMSIS events", .iso,
        """
        PcrKey | trip_id | id
        eTimes_01 | requested_at | t 0
        eTimes_03 | unit_notified_at | t 2
        eTimes_05 | en_route_at | t 3
        eTimes_06 | on_scene_at | t 4
        eTimes_07 | - | t 5
        eTimes_09 | left_scene_at | o 6
        eTimes_11 | arrived_at | o 7
        eTimes_12 | - | o 8
        eTimes_13 | completed_at | t 9
        """)

    /// A report of a patient record system: names of NEMSIS elements, with and without numbers.
    package static let nemsisReport = PublicExport(
        "NEMSIS report", .us12,
        """
        Incident Patient Care Report Number - PCR (eRecord.01) | trip_id? | id
        Incident Date | service_date | date
        Response EMS Response Number (eResponse.04) | trip_id | id
        Response EMS Unit Call Sign (eResponse.14) | vehicle_id | w M1, M2, M3
        Response Type Of Service Requested (eResponse.05) | trip_type | w Hospital-to-Hospital Transfer, 2205001
        Agency Name (dAgency.03) | provider_name | w Synthetic EMS, Example Rescue
        Incident Unit Notified By Dispatch Date Time | unit_notified_at | t 2
        Incident Unit En Route Date Time | en_route_at | t 3
        Incident Unit Arrived On Scene Date Time | on_scene_at | t 4
        Incident Arrived At Patient Date Time | - | t 5
        Incident Unit Left Scene Date Time | left_scene_at | o 6
        Incident Patient Arrived At Destination Date Time | arrived_at | o 7
        Incident Unit Back In Service Date Time | completed_at | t 9
        Patient Last Name (ePatient.02) | patient_name | person
        Patient Date Of Birth (ePatient.17) | patient_dob | birth
        """)

    /// Invented: what dispatch and billing systems write on their screens.
    package static let dispatchAndBilling = PublicExport(
        "dispatch and billing", .us24,
        """
        Run # | trip_id | id
        Call Rec'd | requested_at | t 0
        Dispatched | unit_notified_at | t 2
        Enroute | en_route_at | t 3
        At Scene | on_scene_at | t 4
        Depart Scene | left_scene_at | o 6
        At Dest | arrived_at | o 7
        Available | completed_at | t 9
        County | region | w North, Lakeside, Hilltop
        Zone | region? | w 1, 2, 3
        LOS | trip_type | w BLS Non-Emergency, ALS Emergency
        Vendor | provider_name | w Synthetic Transport, Example Ambulance
        Loaded Mi | loaded_miles | miles
        Total Charges | cost | money
        Pt Name | patient_name | person
        Pt DOB | patient_dob | birth
        """)
}
