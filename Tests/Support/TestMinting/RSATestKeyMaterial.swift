/// The private keys, which are public. TEST ONLY: they were made once with `openssl genpkey`.
///
/// Each is an RSAPrivateKey (RFC 8017, A.1.2) in base64.
///
/// They are constants because libcrypto makes RSA keys from its own random numbers: a seed would not give the same bytes.
enum RSATestKeyMaterial {
    /// The key of a signer that belongs to no PKI.
    static let stranger = """
        MIIEpAIBAAKCAQEAszU4WZMiWZEx5c/j36zganLcCn2iUZCwfyXeFigRX9FCq7GmlAjJhpfpcYFrkPnwmmG078Dyx0MgQ6Wn\
        m7Lpyh603tsLlUBhHJU3PdNLBCAzSwvRkqzA1z3jNfNtpVwmvJFLwJRLrGGBYCtRX3YuzECHHKhIFeZ6FuHbx9ZbAC2Hjpht\
        8ly/s9ViwaSrWvtPVc72ZBrVXwGlgklD20GJcLgHn2TYmco5h5jDMWSpR3DsT7stzzNi7r5gUHA2XgTgbUf+69HY7JkLL3V3\
        GQbYjgwhWhEhnTG+1kfze9GsZuaen+NXkdpUzL0PiPc5L6J+cZZb7KdIb476TCrjgKnTWwIDAQABAoIBAAUWD5CY3QKuXNYU\
        9JBJPVwcVjsG7RDf5m/QlsE0S7gTKroUSuuoU8nGs4MCBm1s5tfT7Ekmo6og/heqNvmeZRZ2btftkjN8/YJ3RDuazvcj6Vpf\
        NsyoiYZUgKEwQ6spskk4iHaymoPjIPaENlqXA4ff6isb4dm9idCqpEyp5yhJHuTvBrLYZLWBl539GEIvhQteKmq5PV0RgIax\
        pa3pjygluul1dPDncjP7z0tvmtUzfY+TmWl244b9nd7atQ8EofvONsgfAwJrvZHSX2bvaE2zSpUSO6ojpXSpTMV4EeCkhL6+\
        MtqkSYMrGQKs8OZR/cp9LzkZSGjjdwDqEGwGxa0CgYEA2aqJJqk47e6qDHSTQTVB7ITFOQ9XTkXic0yMC8T5pb/mDLWy8f4U\
        M60jME7DDnpJRsQ7T+jxg/bfgl7EjAAShzI2UfwnyShHfUk+ZrCh+Bbtd9UH7vLISJoXstAMPqu1swSX5cMGNBn/w40TRN8Z\
        Rj1q1lJYA4KBPMA4Ev14+NcCgYEA0sTLywa+JwPPW+tHZYVizV0eUn5VqG1IsDZnR+IyEd/ehPfpegNKPgfW35TOGKIDYsjB\
        ej7CVne72FB0xq3Qz9+V3kEJrMSwGX2kH/yUv8IgE90lUgNLDOw1Hst8MDLnZiehyTw/4H1mrcQVMXvKVhTwqzceFBM+1baP\
        J6FUFR0CgYEAun1IIN2frwtqml1OxPGyV8ixiV/Bd4icqhiNbJAJLJ+rpHwQoxEDkfrnST5SFJdlLMJ35tE4C856VSKI10JA\
        naDBtaCLHefqyEb2tdjkDMDoGGFm+Kz+OGX9o/BobVGEzapD0lEzgXQ9E/hM6BcVen6oiJPoYKlxvPEbmfmdqeUCgYEAqOY3\
        gZ0HqHAvLTPf5QT85iEm+Whv8CaTR1JxdXNYOGa0BM499R7J0eeqU0UF20uJdxH1qaa9SVlt2Kywx73mRY6gpJhtzltX2zWJ\
        3nAkK36/AewHyi8FZ3eqIeFixaUlNgGwbnivn5AeRkWJzjurK0xgiHQE0IWTpuNC2Lk5jikCgYBHvARAptGjNiYe+cUcS/64\
        ajVPiWfjsfzeuHcVsn+Jo0UY2AYrgSc7NPNWU7yBYP78jRqATOEeh2i75uGEbnmTPzxAHaa7b2JxeNNYSmeEDwqgpIZiSZ47\
        ku01EBfF4LqkMJda18ySSGnBrLzA1X3bUao/njpZO+pln4e8omeHcA==
        """

    /// The key of the receipts' leaf of 2023.
    static let leaf2023 = """
        MIIEowIBAAKCAQEAtAi/Pt++P3TbE5HyJvGn5d4XXd7u1+8qeuspcTSGjcm2rtLq2j/GPvB5A7ulaRMaxthfwzA63Lg+RhVc\
        WBdUVrhfJxpTuAvWyQfIPEQQnEBUFjke2yial1whDntRkb04xQQXsTGbH7yd3R3EmHh+XkxqQv/HwWTipTre7qxnOwXWzPJP\
        9hpJo54vBqimw93kJSGIh/rrlFwR1yOwFWU+v+tPJ9bWKXGs67CfWxI14QEqAuDmexcYf0/SA04G0JziJbXMe38i9yNoLl+C\
        UB9gRNHAajxp7JcPgQ0lPsBwS1FwfZ1NwE8XCI9b3Izs2JYvBv+XMgHwoPVwvKQcIXJYswIDAQABAoIBADi70uyw3IapwAn8\
        QYeVOrg9EzcBNFo247elmMM0bryK1vdjvx+03jfiVvher0McAqGr+Q2NCteYdgNm4tldzLWhV1b+vGgwzug9/BNFzcg3m2f/\
        ayJcOs88+KvUH8HiE9w+LGsp+zz2lvbh1RzJR+VWhlwDt8LRlHzGPw+Oo99csMuvbZvV0/2nUj94rwRpjpEC3SMw9B+J/Gge\
        n3LJF/7mChjbPdv9f4JYU+omDPOXt2gU0P2cDQIO2zv+/mrbOe5UdvQcuvNbhT1q8w0ql2bynqGLSCbD2uQTTEAtaFlwIeDo\
        Q3M9a9R22wwI6XVHHrO+vXNDMBJ6ViOCFyhl5RECgYEA88nFrfl5CBMi2fPEFqIDOS/HPZu7n/klrNZeOUIgSETMy3OHvKx4\
        syzck8Gi9nCx29RzUS8dGUbC2sMw+T1PwDo3pA19QWYVvdmLzbZeGoR+j2JD1O3/EgkfOQbdR0Cu7NnC+Hse5Ay/blCY0Qwz\
        2LxBZXan3+G8J1q/lqC29gMCgYEAvQ1sN/Bzt4PPQgY7SGEQiHquOkMx7DwUxazI3awyrQMpECwoZEMACOz/ag3XjjRphad2\
        Skq+H/GksY1F8nlq4nKTOIF/RJmhqU2kMYv4JAW6RbYOSlwsliiDwbIObUM6JUWbftH8N6VTa5SLUPq0m1yklSHP5M8JFb6I\
        1Eh/q5ECgYEAzixJSx3dtu+AHPVkU4PG2BlJFhhbsCokK6zL2P7MkHHnBPT6yZzPIzEAhtFPQb4DHRfqQrFmmZbXee1zwIWS\
        qc5SeiKSWLm+D2YpLttZcHG3GwoOtchlXFpslmzwvK6+gT6U/lIZyOHjD6eH5du9CUIEyIt15AhjeKDtwLTApwMCgYBvpe2z\
        W537UyyjoWqBZFGPSGR8pBJnoVPjKhe2UmvbIXKuymVQUQFERDLTPzl+EhX/iNajKWD/HIZXFUep22r0MRYg2NmAefqvMds2\
        J6N0Iq3PXaUy5Ryv0V1+ltlOTdWZDXK3guuhMVICxsdAG89tsVjBeiZ8yohi/xNvyyEbAQKBgDiXR0QUOtbiCszQXWLOX9LK\
        EM/MiVvTli8JL6Yfp3zOHM78GdvlLvNsOIrP4q21+pUfkcHsXjQZl9peK15UMaVdjPLQCEbtn/+MKTWlg7XKRmd5wHq+f8qo\
        C2f9Qy1cIZJqzsUT7efF/SbmTVieHUfItJhCMoTcvgd597XTC4z5
        """

    /// The key of the receipts' leaf of 2025.
    static let leaf2025 = """
        MIIEowIBAAKCAQEAunnj/eWqQdaJK0nWKUdU8C7/EMyf3y04i+77p4DPQxVft7q/2knF2yEAlNPeDtVgX9kcHYkXmxZTTWPZ\
        b+Dj7XqZW7v7TvUN6FMa8HrSoEQ7AbqYMeTDYe/J5Hn3X5X6iSdr/D+PoiIlB2roSV2pDrqlYpYOFnOzX127scGmtpRFEXXs\
        WkhamgYClCusBHOpv6uT2UL0+CxD47J5K0VBJjCNC1tKh8gG1DYAgMDZvn2aTrFcBPr5LKm3ycvQqpned9ovmr4A7cAyWvkE\
        jA3S0is2WIOOjcJXO96AwyWHARFgFfQXQKuT49SPIccfeBR/yCK41E5+LkvS1QjVxiqiMQIDAQABAoIBAAItdlbun7bsO761\
        enaR0H1LyjMatZ76QOXa7wXDKoBxu2P6jn8cw46KF471XKtrDNifsR0r7rpzF7rQkL9mhpjdSLVOWBphYJXDAy5127fvBgqg\
        kIKMJaczEPYt4bB0QJhJjWB1KE7sE8c+9YqWSTksny3sG0riM+D4J+8E6DbLdjRT+ucz98PN+Tgn/tBPEHzhezIAjQtXDcGq\
        nAfW7XwHVcMTfhR3rlnqHiYPbbVmz05tTBu3ku7JZDycXGVtbIC9hrJD9k5TMulcT2v0eGICWuU3v5yrFSp/iGPLNA90oMqg\
        g/9FUhj4iErFa6h7pcEYqPrNDJ3nYLFELTjr6MECgYEA8Y+FYIPgbsygr+I0cVV2paZALmShVyQLsIUjE4PUqB5vQaSJudXA\
        rbdWJKCDQ9CELDFgdCV0gmEkLthIPbYBZkWu21SAggkzQ4fIagriX7C8uPHMESg/b6S+exaJqkwCmsifEhmi6oRkULQ73u/h\
        GbkXsndCmkgXpel09NRgO/ECgYEAxZ9wkB/00hnKwNmTDi0ocbBFLLiOyP7DvUv/iUu3UhE+iB92lzXx6rcnYTiAuyMiJi4B\
        reUGggwpGXgefSMcKXLy4cbIdUjGTgi9phpDJjOad5tPqZQxchb26mhRZnLjaV/gwmgihnHwZXab5XmG1zpJEiA9nMqBKaxh\
        GcGkCkECgYEA2PypPNd5pU3fEd9KaHvyxj4e7Q2r+FECxx/xMDh9sD8WhYq9xNcD64gCs4gUIbiO4fvAvtReYjfMft/9lKGH\
        hE0YEyFHBogpKoIwP0Fjs71Y6XEadFcJFMqR6JOIOhdpR4zrhyDMPYmLawtbtJkaRTcE2GVUyK31wC2Dx+F2SKECgYAsIMAX\
        zqryR0QY7/yAS+EeEchAhi2MACdhG5lB5SBYOPWHm871UNxmFuO6N822+89iSx+g3uUnIOQEhef49WASeVJ2y9ZzKf7t6dG/\
        R1n7K8awMoQFT8wCt9IG4ahbggf5vakIgAxFjSeq4GNLSGmtoZwzafOYETfqQE2mXLDugQKBgGzkyLBssIBsR2Mks72BBrKc\
        N5wpT1kLKZV4RpjhKjkofQBXwCKdTOPKybJFE+8yg+87sgJtrpXH/WysoGh4bEOhrq41Y1GNHSH+xIW4WYAz3Q30mRfQFVhC\
        uywZURDMKZJt1DdqxvSTEqbMJbwmxTXXkutHlTCIcOE+MHYK93ZK
        """

    /// The key of a forger.
    static let forged = """
        MIIEowIBAAKCAQEAxaZD0cG3TPhuUjQqy/aZaf7nYTk4uhU6H0VF8tmNnFjggVjG5lliM6swbTDrQj/t7yyp1/8DAGN+Uyy0\
        AZWw5NosKALQPKQ0YHx1pIGZrrfQjK2CR+eXQ3e96eqTwDXafiVGBH2+RxIOrtAgUEAfE7vBHPFA2PF5G4m2lL1qnP2ABy7/\
        wv2twmYzJl5mIMkD8pGEHFEjADFXvVZxTEH15vX/MaySbZP1e/NXbi59nt0fVd+xDZ7z6qFRJo3LHBZiFCYd0HLoNHm20KtS\
        6F09YrrbISwd3Ub9N0PZobzInPoRByw71MpEJk2otWWQKAEh3dzMCwQzCMtxGZHA21LbZwIDAQABAoIBABrWRe8n9n5PspXG\
        2j4c8HJ2rMQuw4fAyhuPib09J6qgXBuJX7h3T+DkJbctz+6MRP/CI22zWpz65XQ1uwYGuqDYXuvai0aF+qFUmkS0CZddA3GW\
        kvy1yCbeY2hs9D2XvQspKdCs94vUOoTSDbvXzmByO051aPC2w6hRkqZaRyz5oaQxH3neOd70uY6SC4gm7dfngrHCJ+ZvbbKD\
        mDx5CqmPNokt2NlAVIXVu9yMoHo0QfaOzE7jPthYL6Y0TtIYM+x5yfxrqc0KGOj8I8N4lTgiwa3GND/wdKT2UaxGUd5Nl0Ys\
        NxRzpYnbDKdQE5cHMUqoDpzi6B1IZXcgCMQc4wECgYEA67UTurUiLtYGpCXxNec9KxvCZw12/21GlzXmMS1813m7dv8G4+/h\
        Lp0Czlbj9HNaqnCKWpkIYJqBSrPbNZdO9ibJBUmsnRB8cNgo6BsF418w2/KPOFz+Gb3dQ6MVwN7Ev5dCFjwfh4D4b5qxdozn\
        ksyoh6lOicsTrTV82oxhcDECgYEA1qpnRB/MWhqsVg+DONSYLd+heDyDBN7igFbDfAh8VzK3pwa3a9ngaPJv6U2rIS1eNCTB\
        WPoWELdphNhPBByglXL9yFVcUt5fc5rFaCDWEOIXfCL0mdYSIpvWZls/mCRotecvCjCP5+iYeAUWSgoG/AbirpE6xbJ23IfJ\
        uLJbdxcCgYEA23j1EPGeDZxN/MQzkGxrQVuMrWYVOosmop+WYo4nY3++9XNLmCwBMeUS+sxfX3uVnYRC308FROY4ozVLVOA5\
        ruu4W8sZBfqW1IABvvWCiw9UsEhv4Rx9obxvbY5KMBd9faQ67fc3qHWHXmvc+DUFX2RfPEqCjb1g6fQW+GykQdECgYAImSCz\
        wNZNkZ3vgIWQBCvoQnnUOBBDZK4L1+3SjQB1+akTfphgMITljzheTucY2Bla21IHP1Uc7EvEr2lSz9a6xbVWjdy50QBfwAZC\
        KnaIjJXGOhw0ATgOvNE0nlkIvgSXrJ/ct587+bwJqqJ+6rHm7FuuBFEnVAOgx6uTw0kYlwKBgE98J4r8lrD4zYNpmsxbp6XA\
        6Rv4uW3jtG9ven6BOh0XqSICt5FDPqAnIHUUqSpeM42Tzx+z83HvUJrQ7UajWWfjHDVMtzLNK48t31a2SYLGCpm2GLYRMe+n\
        Ajgie6pIz9reNsYGDHi65UqRd1ld0gbE/cgVbdZAUPHJTADWqc2c
        """

    /// A key of 1024 bits, which is too short to be safe.
    static let short = """
        MIICXQIBAAKBgQDI30x/FQ6SHvf3djuJsix3CEfiqLgytC0Yiwc0rYTVJFGB35ACIOESO8Oju16+jFrxIx2SyZsZLmhdgEO0\
        fxCLfg8xp0GJDgHtAjbs/2geSYdi1jNmiZrlSYTLCN22WbbOKPdyP0GI3xBkIJrFjb/p6Iqz4+1IKPpSkXkRtDbqOQIDAQAB\
        AoGAHMMciPXS6ElW6DAdxlGk3EZrRKEz/s6dxm3h0kEmS/6vTRFd5XAfyiSUltU1c8NVIkIM8f+8HZbvirPa/fVTwOSA96z0\
        sYhoOSOsBbz9N0M9Zf2YgJtnwFO089FIINQS8LbyCQeNXP/DgvdrWAc5IJHHbEfmUT/XWQwjLcKzQCECQQDtnJgVQvZhgwNv\
        TMLYT7CYy6vVyQxuEysiWXndrCKzsDmjpV1OKcziXVZYX3tl+qJ2omz8eTEn1xnXVOwhDbx3AkEA2GrY6uswwu1NNH4Ycob2\
        TG6kJqYzJ046KvQdRl3SmzqcG52YR/9ileSFTMBu9/GWlpKPYSmjKs5M7b/rzFAqzwJBAMb2cg6TpLVgPBcNgrYYfHplSTzZ\
        fZQKbvrzS21H/0LRVGJoTKnvrIT7vRqA0VZCOZn3RiVe4b9HiXbawGKpGt8CQBR3lmgxMf1dX+3U9w7twKFd3VxiX3gaJ9ok\
        GBitittvYZAjCWHVv0cZw5mMoXIFgQ5gcfroaywDMrdRbUV3V3UCQQDnigdbRfXxFmB6HWng2Ip/m1z7jeKU+AcMCEp5TRRi\
        U29U4KEr/hPYCvDo/Iq5WYXMDagkBQePoHDV9mhz0N6t
        """
}
